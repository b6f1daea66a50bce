/* Paper 001, Figure 2: two threads share a pointer; one checks it and uses it, not atomically.
 * Crashes where thread 2 clears p between thread 1's check and its use. */
#include <pthread.h>
#include <stddef.h>

static struct {
    int unused[16];
    int x;
} A, *p;

static void *thread1(void *arg) {
    (void)arg;
    p = &A;
    if (p != NULL) {
        p->x += 10;
    }
    return NULL;
}

static void *thread2(void *arg) {
    (void)arg;
    p = NULL;
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, thread1, NULL);
    pthread_create(&t2, NULL, thread2, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
