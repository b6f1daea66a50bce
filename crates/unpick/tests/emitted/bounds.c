#include <pthread.h>
#include <stdlib.h>

#define SIZE 2

static int *slots, used;

static void *add(void *arg) {
    if (used < SIZE) {
        used = used + 1;
        slots[used - 1] = 1;
    }
    return arg;
}

int main(void) {
    pthread_t threads[3];
    slots = calloc(SIZE, sizeof *slots);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, add, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    free(slots);
    return 0;
}
