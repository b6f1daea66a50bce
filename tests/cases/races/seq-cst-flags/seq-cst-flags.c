#include <pthread.h>
#include <stdatomic.h>

static atomic_int up[2];
static int inside;

static void *left(void *arg) {
    atomic_store(&up[0], 1);
    if (atomic_load(&up[1]) == 0)
        inside = 1;
    return arg;
}

static void *right(void *arg) {
    atomic_store(&up[1], 1);
    if (atomic_load(&up[0]) == 0)
        inside = 2;
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, left, 0);
    pthread_create(&two, 0, right, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return inside > 2;
}
