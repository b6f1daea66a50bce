/* A number is read from a text that another thread rewrites.
 * Behind a lock it holds. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static char digits[3] = "11";
static long number;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *reader(void *arg);

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, reader, NULL);
    pthread_mutex_lock(&lock);
    digits[0] = '2';
    digits[1] = '2';
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    assert(number == 11 || number == 22);
    return 0;
}

static void *reader(void *arg) {
    pthread_mutex_lock(&lock);
    number = strtol(digits, NULL, 10);
    pthread_mutex_unlock(&lock);
    return arg;
}
