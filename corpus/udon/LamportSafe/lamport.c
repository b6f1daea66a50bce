/* Lamport's fast mutual exclusion for two threads: without contention seven accesses suffice. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static atomic_int b1, b2;
static int inside;

static void enter1(void) {
    for (;;) {
        b1 = 1;
        x = 1;
#ifndef BAD /* goes on although somebody is inside */
        if (y != 0) {
            b1 = 0;
            while (y != 0)
                ;
            continue;
        }
#endif
        y = 1;
        if (x == 1)
            return;
        b1 = 0;
        while (b2 >= 1)
            ;
        if (y == 1)
            return;
        while (y != 0)
            ;
    }
}

static void enter2(void) {
    for (;;) {
        b2 = 1;
        x = 2;
        if (y != 0) {
            b2 = 0;
            while (y != 0)
                ;
            continue;
        }
        y = 2;
        if (x == 2)
            return;
        b2 = 0;
        while (b1 >= 1)
            ;
        if (y == 2)
            return;
        while (y != 0)
            ;
    }
}

static void *thread1(void *arg) {
    enter1();
    inside = 0;
    assert(inside <= 0);
    y = 0;
    b1 = 0;
    return arg;
}

static void *thread2(void *arg) {
    enter2();
    inside = 1;
    assert(inside >= 1);
    y = 0;
    b2 = 0;
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, thread1, NULL);
    pthread_create(&two, NULL, thread2, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
