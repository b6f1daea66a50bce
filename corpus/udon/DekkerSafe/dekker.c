/* Dekker's algorithm: who does not have the turn steps back and waits for it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag1, flag2, turn;
static int x;

static void *thread1(void *arg) {
#ifndef BAD /* the other sees nobody coming */
    flag1 = 1;
#endif
    while (flag2 >= 1) {
        if (turn != 0) {
            flag1 = 0;
            while (turn != 0)
                ;
            flag1 = 1;
        }
    }
    x = 0;
    assert(x <= 0);
    turn = 1;
    flag1 = 0;
    return arg;
}

static void *thread2(void *arg) {
    flag2 = 1;
    while (flag1 >= 1) {
        if (turn != 1) {
            flag2 = 0;
            while (turn != 1)
                ;
            flag2 = 1;
        }
    }
    x = 1;
    assert(x >= 1);
    turn = 0;
    flag2 = 0;
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
