/* A write to memory that may not be written: the same kind, at the write.
 * Happens where the thread comes before main has set the pointer right. */
#include <pthread.h>
#include <stddef.h>

static int good;
static int *p = (int *)0x1230;

static void *worker(void *arg) {
    (void)arg;
    *p = 1;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    p = &good;
    pthread_join(t, NULL);
    return 0;
}
