#include <pthread.h>
#include <stdlib.h>

static void *work(void *arg) {
    int *result = malloc(sizeof *result);
    if (result)
        *result = arg != 0;
    return result;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    void *result = 0;
    pthread_join(thread, &result);
    return 0;
}
