/* A number is read from a text that another thread rewrites.
 * Fails where one runs between the two halves of the other. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static char digits[3] = "11";
static long number;

static void *reader(void *arg);

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, reader, NULL);
    digits[0] = '2';
    digits[1] = '2';
    pthread_join(t, NULL);
    assert(number == 11 || number == 22);
    return 0;
}

static void *reader(void *arg) {
    number = strtol(digits, NULL, 10);
    return arg;
}
