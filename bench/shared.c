/* Memory that two threads share, always one after the other: what recording costs. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static uint32_t data[256];
static long rounds;

static void *worker(void *arg) {
    for (long round = 0; round < rounds; round++)
        for (int i = 0; i < 256; i++)
            data[i] += (uint32_t)round;
    return arg;
}

int main(int argc, char **argv) {
    rounds = argc > 1 ? atol(argv[1]) : 100;
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    worker(NULL);
    return 0;
}
