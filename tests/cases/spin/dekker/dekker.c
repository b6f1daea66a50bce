/* Dekker's algorithm: two loops that wait, one inside the other. */
#include <assert.h>
#include <pthread.h>

static volatile int wants[2];
static volatile int turn;
static int owner;

static void *run(void *arg) {
    int me = (int)(long)arg, other = 1 - me;
#ifndef NO_FLAG
    wants[me] = 1;
#endif
    while (wants[other]) {
        if (turn != me) {
            wants[me] = 0;
            while (turn != me) {
            }
            wants[me] = 1;
        }
    }
#ifdef NO_FLAG
    wants[me] = 1;
#endif

    owner = me;
    assert(owner == me);
    turn = other;
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
