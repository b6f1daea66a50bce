/* Paper 001, Figure 8: one thread waits busily for x to become 0, as racy C.
 * The exploration must end although the loop alone has endlessly many interleavings. */
#include <pthread.h>
#include <stddef.h>

static int x = 1;

static void *T1(void *arg) {
    (void)arg;
    int tmp;
    do {
        tmp = x;
    } while (tmp);
    return NULL;
}

static void *T2(void *arg) {
    (void)arg;
    x = 0;
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, T1, NULL);
    pthread_create(&t2, NULL, T2, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
