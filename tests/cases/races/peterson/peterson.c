#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], last;
static int inside;

static void enter_and_leave(int me) {
    atomic_store(&wants[me], 1);
    atomic_store(&last, me);
    while (atomic_load(&wants[1 - me]) && atomic_load(&last) == me)
        ;
    inside++;
    atomic_store(&wants[me], 0);
}

static void *other(void *arg) {
    enter_and_leave(1);
    return arg;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, other, 0);
    enter_and_leave(0);
    pthread_join(one, 0);
    return inside != 2;
}
