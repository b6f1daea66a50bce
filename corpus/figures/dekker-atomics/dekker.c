/* Dekker's algorithm with C11 atomics (sequentially consistent).
 * At no time are both threads inside. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int wants0, wants1, turn;
static int inside;

static void critical(void) {
    inside++;
    assert(inside == 1);
    inside--;
}

static void *zero(void *arg) {
    (void)arg;
    wants0 = 1;
    while (wants1) {
        if (turn != 0) {
            wants0 = 0;
            while (turn != 0)
                ;
            wants0 = 1;
        }
    }
    critical();
    turn = 1;
    wants0 = 0;
    return NULL;
}

static void *one(void *arg) {
    (void)arg;
    wants1 = 1;
    while (wants0) {
        if (turn != 1) {
            wants1 = 0;
            while (turn != 1)
                ;
            wants1 = 1;
        }
    }
    critical();
    turn = 0;
    wants1 = 0;
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
