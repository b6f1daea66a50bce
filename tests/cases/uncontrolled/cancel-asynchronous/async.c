/* A thread that may be cancelled at any instruction: not controlled, so nothing may be claimed. */
#include <pthread.h>
#include <stddef.h>

static volatile int x;

static void *worker(void *arg) {
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    for (int i = 0; i < 3; i++)
        x++;
    pthread_testcancel();
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_cancel(t);
    pthread_join(t, NULL);
    return 0;
}
