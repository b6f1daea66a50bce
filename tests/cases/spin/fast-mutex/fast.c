/* Lamport's fast mutual exclusion, in which a loop starts over by goto. */
#include <assert.h>
#include <pthread.h>

static volatile int busy[2];
static volatile int x, y;
static int owner;

static void *run(void *arg) {
    int me = (int)(long)arg;
again:
    busy[me] = 1;
    x = me + 1;
    if (y != 0) {
        busy[me] = 0;
        while (y != 0) {
        }
        goto again;
    }
    y = me + 1;
    if (x != me + 1) {
        busy[me] = 0;
#ifndef HURRIED
        while (busy[1 - me]) {
        }
#endif
        if (y != me + 1) {
            while (y != 0) {
            }
            goto again;
        }
    }

    owner = me;
    assert(owner == me);
    y = 0;
    busy[me] = 0;
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
