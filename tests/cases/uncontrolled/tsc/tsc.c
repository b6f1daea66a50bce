/* The program looks at the processor's time stamp: no schedule decides what it does.
 * Nothing may be called complete. */
#include <pthread.h>
#include <stddef.h>
#include <x86intrin.h>

static int x;

static void *worker(void *arg) {
    if (__rdtsc() >> 9 & 1)
        x++;
    x++;
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
