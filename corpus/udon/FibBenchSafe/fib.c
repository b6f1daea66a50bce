/* Two threads add each other's number to their own, ROUNDS times without a lock. Taking turns
 * gives the largest numbers there can be, those of Fibonacci: LARGEST after five rounds each. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#define ROUNDS 5
#define LARGEST 144
#ifdef BAD
#define MOST (LARGEST - 1)
#else
#define MOST LARGEST
#endif

static int i = 1, j = 1;

static void *left(void *arg) {
    for (int k = 0; k < ROUNDS; k++)
        i += j;
    return arg;
}

static void *right(void *arg) {
    for (int k = 0; k < ROUNDS; k++)
        j += i;
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, left, NULL);
    pthread_create(&two, NULL, right, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(i <= MOST && j <= MOST);
    return 0;
}
