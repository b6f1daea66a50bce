#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;

static void *work(void *arg) {
    pthread_setspecific(key, arg);
    *(int *)arg = 1;
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, free);
    int *block = malloc(sizeof *block);
    if (!block)
        return 0;
    pthread_create(&thread, 0, work, block);
    pthread_join(thread, 0);
    int seen = *block;
    free(block);
    return seen != 1;
}
