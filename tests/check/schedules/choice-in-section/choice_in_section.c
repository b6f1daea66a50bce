#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int taken[2];

static void *take(void *arg) {
    int wanted = __VERIFIER_nondet_bool();
    pthread_mutex_lock(&lock);
    if (taken[wanted])
        wanted = !wanted;
    taken[wanted]++;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, take, 0);
    take(0);
    pthread_join(thread, 0);
    assert(taken[0] == 1 && taken[1] == 1);
    return 0;
}
