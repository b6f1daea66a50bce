/* The turn is given away before the flag is raised, by one of two: both are inside. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag1, flag2, turn;
static int x;

static void *one(void *arg) {
    turn = 1;
    flag1 = 1;
    while (flag2 == 1 && turn == 1)
        ;
    x = 1;
    assert(x == 1);
    flag1 = 0;
    return arg;
}

static void *two(void *arg) {
    flag2 = 1;
    turn = 0;
    while (flag1 == 1 && turn == 0)
        ;
    x = 2;
    assert(x == 2);
    flag2 = 0;
    return arg;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, one, NULL);
    pthread_create(&t2, NULL, two, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
