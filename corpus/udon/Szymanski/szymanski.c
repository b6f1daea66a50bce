/* Szymanski's algorithm for two threads: a waiting room whose door is shut behind who is in it.
 * 0 outside, 1 before the door, 2 waits inside for others, 3 in the doorway, 4 the door is shut.
 * The first thread goes first, and leaves when nobody stands in the doorway any more. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag1, flag2;
static int x;

static void *thread1(void *arg) {
    flag1 = 1;
#ifndef BAD /* goes in although the door is shut */
    while (flag2 >= 3)
        ;
#endif
    flag1 = 3;
    if (flag2 == 1) {
        flag1 = 2;
        while (flag2 != 4)
            ;
    }
    flag1 = 4;
    x = 0;
    assert(x <= 0);
    while (flag2 >= 2 && flag2 <= 3)
        ;
    flag1 = 0;
    return arg;
}

static void *thread2(void *arg) {
    flag2 = 1;
    while (flag1 >= 3)
        ;
    flag2 = 3;
    if (flag1 == 1) {
        flag2 = 2;
        while (flag1 != 4)
            ;
    }
    flag2 = 4;
    while (flag1 >= 2)
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
