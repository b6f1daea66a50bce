#include <pthread.h>
#include <stdlib.h>

static void *work(void *arg) {
    int *block = arg;
    *block = 1;
    return block;
}

int main(void) {
    int *block = malloc(sizeof *block);
    if (!block)
        return 0;
    pthread_t thread;
    pthread_create(&thread, 0, work, block);
    void *result;
    pthread_join(thread, &result);
    free(result);
    return 0;
}
