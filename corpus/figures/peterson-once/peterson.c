/* Peterson's entry tried once with C11 atomics: who may not enter gives up.
 * No loop, so that every interleaving can be explored and counted. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag0, flag1, turn;
static int inside;

static void critical(int me) {
    inside = me;
    assert(inside == me);
}

static void *zero(void *arg) {
    (void)arg;
    flag0 = 1;
    turn = 1;
    if (flag1 && turn == 1) {
        flag0 = 0;
        return NULL;
    }
    critical(1);
    flag0 = 0;
    return NULL;
}

static void *one(void *arg) {
    (void)arg;
    flag1 = 1;
    turn = 0;
    if (flag0 && turn == 0) {
        flag1 = 0;
        return NULL;
    }
    critical(2);
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
