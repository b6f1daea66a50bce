#include <pthread.h>
#include <stdlib.h>

static void *make(void *arg) {
    int *block = malloc(sizeof *block);
    *block = arg == 0;
    pthread_exit(block);
}

int main(void) {
    pthread_t one, two;
    void *a, *b;
    pthread_create(&one, 0, make, 0);
    pthread_create(&two, 0, make, &one);
    pthread_join(one, &a);
    pthread_join(two, &b);
    *(int *)b += *(int *)a;
    int sum = *(int *)b;
    free(a);
    free(b);
    return sum != 1;
}
