/* A low priority is no lock: the counter of two threads is not atomic. */
#define _GNU_SOURCE
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>

static char stack[256 << 10] __attribute__((aligned(4096)));
static int x;

static void check_stack(void *own, size_t least) {
    pthread_attr_t mine;
    void *bottom;
    size_t size;
    int here;
    assert(pthread_getattr_np(pthread_self(), &mine) == 0);
    assert(pthread_attr_getstack(&mine, &bottom, &size) == 0);
    assert((uintptr_t)&here - (uintptr_t)bottom < size && size >= least);
    assert(!own || bottom == own);
    pthread_attr_destroy(&mine);
}

static void *worker(void *arg) {
    char name[16];
    sigset_t all, old;
    check_stack(arg, arg ? sizeof stack : 1 << 20);
    assert(pthread_setname_np(pthread_self(), "a worker") == 0);
    assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0 && name[2] == 'w');
    sigfillset(&all);
    assert(pthread_sigmask(SIG_BLOCK, &all, NULL) == 0);
    assert(pthread_sigmask(SIG_SETMASK, NULL, &old) == 0 && sigismember(&old, SIGUSR1));
    int policy;
    struct sched_param param;
    param.sched_priority = 7;
    assert(pthread_setschedparam(pthread_self(), SCHED_FIFO, &param) == 0);
    param.sched_priority = 0;
    assert(pthread_getschedparam(pthread_self(), &policy, &param) == 0);
    assert(policy == SCHED_FIFO && param.sched_priority == 7);
    assert(pthread_setschedprio(pthread_self(), 3) == 0);
    x++;
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_attr_t own, wide;
    cpu_set_t cpus;
    struct sched_param param = {.sched_priority = 5};
    CPU_ZERO(&cpus);
    CPU_SET(0, &cpus);
    assert(pthread_attr_init(&own) == 0 && pthread_attr_init(&wide) == 0);
    assert(pthread_attr_setstack(&own, stack, sizeof stack) == 0);
    assert(pthread_attr_setstacksize(&wide, 1 << 20) == 0);
    assert(pthread_attr_setguardsize(&wide, 8192) == 0);
    assert(pthread_attr_setdetachstate(&wide, PTHREAD_CREATE_JOINABLE) == 0);
    assert(pthread_attr_setinheritsched(&wide, PTHREAD_EXPLICIT_SCHED) == 0);
    assert(pthread_attr_setschedpolicy(&wide, SCHED_FIFO) == 0);
    assert(pthread_attr_setschedparam(&wide, &param) == 0);
    assert(pthread_attr_setscope(&wide, PTHREAD_SCOPE_SYSTEM) == 0);
    assert(pthread_attr_setaffinity_np(&wide, sizeof cpus, &cpus) == 0);
    assert(pthread_create(&one, &own, worker, stack) == 0);
    assert(pthread_create(&two, &wide, worker, NULL) == 0);
    assert(pthread_setaffinity_np(two, sizeof cpus, &cpus) == 0);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(x == 2);
    return 0;
}
