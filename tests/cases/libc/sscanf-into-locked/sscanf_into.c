/* sscanf writes two variables, another thread sees one of them old.
 * Behind a lock it holds. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

static int first = 1, second = 1;
static char word[8];
static int sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *reader(void *arg);

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, reader, NULL);
    pthread_mutex_lock(&lock);
    sscanf("2 2 two", "%d %d %s", &first, &second, word);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    assert(sum != 3);
    return 0;
}

static void *reader(void *arg) {
    pthread_mutex_lock(&lock);
    int one = first;
    sum = one + second;
    pthread_mutex_unlock(&lock);
    return arg;
}
