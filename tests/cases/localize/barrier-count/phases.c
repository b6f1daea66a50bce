/* Two writers and a reader meet between two phases; the barrier expects two of them. */
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t written;
static int left, right;

static void *write_left(void *arg) {
    left = 1;
    pthread_barrier_wait(&written);
    return arg;
}

static void *write_right(void *arg) {
    right = 1;
    pthread_barrier_wait(&written);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_barrier_init(&written, NULL, 2);
    pthread_create(&one, NULL, write_left, NULL);
    pthread_create(&two, NULL, write_right, NULL);
    pthread_barrier_wait(&written);
    assert(left + right == 2);
    return 0;
}
