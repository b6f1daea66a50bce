/* Szymanski's algorithm for two: a waiting room with two doors. */
#include <assert.h>
#include <pthread.h>

static volatile int state[2];
static int owner;

static void *run(void *arg) {
    int me = (int)(long)arg, other = 1 - me;
    state[me] = 1;
    while (state[other] > 2) {
    }
#ifndef ONE_DOOR
    state[me] = 3;
    if (state[other] == 1) {
        state[me] = 2;
        while (state[other] != 4) {
        }
    }
#endif
    state[me] = 4;
    if (me == 1) {
        while (state[other] >= 2) {
        }
    }

    owner = me;
    assert(owner == me);
    if (me == 0) {
#ifdef TWO_LOOKS
        while (state[other] == 2 || state[other] == 3) {
        }
#else
        int seen;
        do {
            seen = state[other];
        } while (seen == 2 || seen == 3);
#endif
    }
    state[me] = 0;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, run, (void *)0);
    pthread_create(&b, 0, run, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
