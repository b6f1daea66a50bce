/* Paper 001, Figure 2, repaired: check and use are one critical section.
 * Thread 2 clears p before or after it. */
#include <pthread.h>
#include <stddef.h>

static struct data {
    int unused[16];
    int x;
} A, *p;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *thread1(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    p = &A;
    if (p != NULL) {
        p->x += 10;
    }
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *thread2(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    p = NULL;
    pthread_mutex_unlock(&m);
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
