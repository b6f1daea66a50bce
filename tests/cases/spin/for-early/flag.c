#include <assert.h>
#include <pthread.h>
#include <sched.h>

static _Atomic int flag;
static int data;

static void *run(void *arg) {
    (void)arg;
    for (; !flag;)
        sched_yield();
    assert(data == 1);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    flag = 1;
    data = 1;
    pthread_join(thread, 0);
    return 0;
}
