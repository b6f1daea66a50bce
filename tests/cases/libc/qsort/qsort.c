/* An array is sorted while another thread counts up its first element.
 * Fails where one runs between the two halves of the other. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static int numbers[3] = {3, 2, 1};

static int by_size(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

static void *sorter(void *arg);

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, sorter, NULL);
    numbers[0] += 10;
    pthread_join(t, NULL);
    assert(numbers[0] + numbers[1] + numbers[2] == 16);
    return 0;
}

static void *sorter(void *arg) {
    qsort(numbers, 3, sizeof(int), by_size);
    return arg;
}
