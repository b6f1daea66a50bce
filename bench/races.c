/* What detection costs an access: memory of one thread's own, memory that is handed over under a lock, and memory
 * that is shared under a lock. `races KIND ROUNDS` */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 256 };

static uint32_t own[2][WORDS];
static uint32_t common[WORDS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int owner;
static long rounds;
static const char *kind;

static void work(uint32_t *words, uint32_t value) {
    for (int turn = 0; turn < 16; turn++)
        for (int i = 0; i < WORDS; i++)
            words[i] += value;
}

static void *worker(void *arg) {
    int me = (int)(intptr_t)arg;
    for (long round = 0; round < rounds; round++) {
        if (!strcmp(kind, "private")) {
            work(own[me], (uint32_t)round);
        } else if (!strcmp(kind, "handed")) {
            pthread_mutex_lock(&lock);
            while (owner != me)
                pthread_cond_wait(&changed, &lock);
            pthread_mutex_unlock(&lock);
            work(common, (uint32_t)round);
            pthread_mutex_lock(&lock);
            owner = !me;
            pthread_cond_signal(&changed);
            pthread_mutex_unlock(&lock);
        } else {
            pthread_mutex_lock(&lock);
            work(common, (uint32_t)round);
            pthread_mutex_unlock(&lock);
        }
    }
    return arg;
}

int main(int argc, char **argv) {
    kind = argc > 1 ? argv[1] : "private";
    rounds = argc > 2 ? atol(argv[2]) : 10;
    pthread_t threads[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
