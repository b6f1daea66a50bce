#include <pthread.h>

#define SIZE 4

static int slots[SIZE], used;

static void *add(void *arg) {
    while (used < SIZE) {
        int at = used;
        used = used + 1;
        slots[used - 1] = at;
    }
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, add, 0);
    pthread_create(&two, 0, add, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
