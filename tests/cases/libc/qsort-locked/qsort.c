/* An array is sorted while another thread counts up its first element.
 * Behind a lock it holds. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static int numbers[3] = {3, 2, 1};

static int by_size(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *sorter(void *arg);

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, sorter, NULL);
    pthread_mutex_lock(&lock);
    numbers[0] += 10;
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    assert(numbers[0] + numbers[1] + numbers[2] == 16);
    return 0;
}

static void *sorter(void *arg) {
    pthread_mutex_lock(&lock);
    qsort(numbers, 3, sizeof(int), by_size);
    pthread_mutex_unlock(&lock);
    return arg;
}
