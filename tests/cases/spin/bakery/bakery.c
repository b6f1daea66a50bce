/* Lamport's bakery for two. */
#include <assert.h>
#include <pthread.h>

static volatile int choosing[2];
static volatile int number[2];
static int owner;

static int is_before(int me, int other) {
    int theirs = number[other];
    return theirs != 0 && (theirs < number[me] || (theirs == number[me] && other < me));
}

static void *run(void *arg) {
    int me = (int)(long)arg, other = 1 - me;
#ifndef UNANNOUNCED
    choosing[me] = 1;
#endif
    number[me] = number[other] + 1;
#ifndef UNANNOUNCED
    choosing[me] = 0;
#endif
    while (choosing[other]) {
    }
    while (is_before(me, other)) {
    }

    owner = me;
    assert(owner == me);
    number[me] = 0;
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
