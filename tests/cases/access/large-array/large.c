/* Two threads fill an array of 64 MB that they share, and their halves overlap by a byte.
 * Fails where the first is last. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

#define SIZE (64 << 20)
static char array[SIZE];

static void *first(void *arg) {
    memset(array, 1, SIZE / 2 + 1);
    return arg;
}

static void *second(void *arg) {
    memset(array + SIZE / 2, 2, SIZE / 2);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(memchr(array, 2, SIZE) == array + SIZE / 2);
    return 0;
}
