/* Peterson's algorithm with its first two stores exchanged: it does not exclude.
 * Fails where both set turn before either raises its flag. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag0, flag1, turn;
static int inside;

static void critical(void) {
    inside++;
    assert(inside == 1);
    inside--;
}

static void *zero(void *arg) {
    (void)arg;
    turn = 1;
    flag0 = 1;
    while (flag1 && turn == 1)
        ;
    critical();
    flag0 = 0;
    return NULL;
}

static void *one(void *arg) {
    (void)arg;
    turn = 0;
    flag1 = 1;
    while (flag0 && turn == 0)
        ;
    critical();
    flag1 = 0;
    return NULL;
}

int main(void) {
    pthread_t t0, t1;
    pthread_create(&t0, NULL, zero, NULL);
    pthread_create(&t1, NULL, one, NULL);
    pthread_join(t0, NULL);
    pthread_join(t1, NULL);
    return 0;
}
