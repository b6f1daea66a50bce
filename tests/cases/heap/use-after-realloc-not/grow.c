/* A worker keeps a pointer into a block that grows; it uses it at once. */
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static int *numbers;
static int seen;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused) {
    pthread_mutex_lock(&lock);
    int *first = &numbers[1];
    seen = *first;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t t;
    numbers = malloc(4 * sizeof *numbers);
    numbers[1] = 5;
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_lock(&lock);
    numbers = realloc(numbers, 400 * sizeof *numbers);
    numbers[399] = numbers[1];
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    free(numbers);
    return seen != 5;
}
