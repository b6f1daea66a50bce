/* sscanf writes two variables, another thread sees one of them old.
 * Fails where one runs between the two halves of the other. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

static int first = 1, second = 1;
static char word[8];
static int sum;

static void *reader(void *arg);

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, reader, NULL);
    sscanf("2 2 two", "%d %d %s", &first, &second, word);
    pthread_join(t, NULL);
    assert(sum != 3);
    return 0;
}

static void *reader(void *arg) {
    int one = first;
    sum = one + second;
    return arg;
}
