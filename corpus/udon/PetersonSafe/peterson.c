/* Peterson's algorithm: who comes later lets the other go first. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag1, flag2, turn;
static int x;

static void *thread1(void *arg) {
#ifdef BAD /* the wrong way round */
    turn = 1;
    flag1 = 1;
#else
    flag1 = 1;
    turn = 1;
#endif
    while (flag2 == 1 && turn == 1)
        ;
    x = 0;
    assert(x <= 0);
    flag1 = 0;
    return arg;
}

static void *thread2(void *arg) {
    flag2 = 1;
    turn = 0;
    while (flag1 == 1 && turn == 0)
        ;
    x = 1;
    assert(x >= 1);
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
