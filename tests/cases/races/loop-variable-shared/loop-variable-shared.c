#include <pthread.h>

static int out[3];

static void *work(void *arg) {
    int index = *(int *)arg;
    out[index] = 1;
    return arg;
}

int main(void) {
    pthread_t threads[2];
    int i = 0;
    while (i < 2) {
        pthread_create(&threads[i], 0, work, &i);
        i++;
    }
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
