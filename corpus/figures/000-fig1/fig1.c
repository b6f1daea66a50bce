/* Paper 000, Figure 1: four threads add to x what others add to y and z; T1 is main.
 * Fails where T4 runs before T2, or T5 before T3: the same operations in another order. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x, y, z;

static void *T2(void *arg) {
    (void)arg;
    x = x + y;
    return NULL;
}

static void *T3(void *arg) {
    (void)arg;
    x = x + z;
    return NULL;
}

static void *T4(void *arg) {
    (void)arg;
    y = y + 1;
    return NULL;
}

static void *T5(void *arg) {
    (void)arg;
    z = z + 1;
    return NULL;
}

int main(void) {
    pthread_t t2, t3, t4, t5;
    pthread_create(&t2, NULL, T2, NULL);
    pthread_create(&t3, NULL, T3, NULL);
    pthread_create(&t4, NULL, T4, NULL);
    pthread_create(&t5, NULL, T5, NULL);
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    pthread_join(t4, NULL);
    pthread_join(t5, NULL);
    assert(x == 0);
    return 0;
}
