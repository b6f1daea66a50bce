/* Peterson's algorithm. */
#include <assert.h>
#include <pthread.h>

static volatile int wants[2];
static volatile int turn;
static int owner;

static void *run(void *arg) {
    int me = (int)(long)arg, other = 1 - me;
#ifdef SWAPPED
    turn = other;
    wants[me] = 1;
#else
    wants[me] = 1;
#ifdef SELFISH
    turn = me;
#else
    turn = other;
#endif
#endif
    while (wants[other] && turn == other) {
    }

    owner = me;
    assert(owner == me);
    wants[me] = 0;
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
