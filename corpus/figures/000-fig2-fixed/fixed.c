/* Paper 000, Figure 2, repaired: each thread's lines are one critical section.
 * Nobody clears y between T1's write and its read, so x stays above 0. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x, y, z, w;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void T1(void) {
    pthread_mutex_lock(&m);
    if (z > 0)
        w++;
    x = 1;
    y = 1;
    if (y == 0)
        x = x - 1;
    assert(x > 0);
    pthread_mutex_unlock(&m);
}

static void *T2(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    z = 1;
    x = x + 1;
    y = y + 1;
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *T3(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    if (w > 0)
        y = 0;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t2, t3;
    pthread_create(&t2, NULL, T2, NULL);
    pthread_create(&t3, NULL, T3, NULL);
    T1();
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    return 0;
}
