#include <pthread.h>
#include <stdlib.h>

static int *shared;

static void *work(void *arg) {
    *shared += 1;
    free(shared);
    return arg;
}

int main(void) {
    shared = malloc(sizeof *shared);
    if (!shared)
        return 0;
    *shared = 1;
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    int seen = *shared;
    pthread_join(thread, 0);
    return seen > 2;
}
