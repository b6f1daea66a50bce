/* Paper 000, Figure 2: the failing runs take other branches than the passing ones; T1 is main.
 * Fails where T2 sets z first, and T3 sees w > 0 and clears y between T1's lines 4 and 5. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x, y, z, w;

static void T1(void) {
    if (z > 0)
        w++;
    x = 1;
    y = 1;
    if (y == 0)
        x = x - 1;
    assert(x > 0);
}

static void *T2(void *arg) {
    (void)arg;
    z = 1;
    x = x + 1;
    y = y + 1;
    return NULL;
}

static void *T3(void *arg) {
    (void)arg;
    if (w > 0)
        y = 0;
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
