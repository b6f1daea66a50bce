#include <assert.h>
#include <pthread.h>

#define ROUNDS 5
#define FIBONACCI 144

static int i = 1, j = 1;

static void *add_to_i(void *arg) {
    for (int k = 0; k < ROUNDS; k++)
        i += j;
    return arg;
}

static void *add_to_j(void *arg) {
    for (int k = 0; k < ROUNDS; k++)
        j += i;
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, add_to_i, NULL);
    pthread_create(&two, NULL, add_to_j, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(i <= FIBONACCI && j <= FIBONACCI);
    return 0;
}
