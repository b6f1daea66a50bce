/* Every run is longer than the bound, and nearly every step races with another: what is left to try after one run is more than
 * can be kept. */
#include <pthread.h>

#define CELLS 4096

static long cell[CELLS];

static void *sweep(void *arg) {
    for (int round = 0; round < 100; round++)
        for (int i = 0; i < CELLS; i++) cell[i] += (long)arg;
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (long i = 0; i < 3; i++) pthread_create(&threads[i], NULL, sweep, (void *)i);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    return 0;
}
