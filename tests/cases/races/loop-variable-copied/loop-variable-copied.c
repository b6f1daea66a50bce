#include <pthread.h>
#include <stdint.h>

static int out[3];

static void *work(void *arg) {
    out[(intptr_t)arg] = 1;
    return arg;
}

int main(void) {
    pthread_t threads[3];
    for (intptr_t i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, work, (void *)i);
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], 0);
        sum += out[i];
    }
    return sum != 3;
}
