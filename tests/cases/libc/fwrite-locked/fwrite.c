/* A buffer is written out while another thread changes both of its halves.
 * Behind a lock it holds. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static char pair[3] = "aa";
static char written[3];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *arg);

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    pthread_mutex_lock(&lock);
    pair[0] = 'b';
    pair[1] = 'b';
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    assert(written[0] == written[1]);
    return 0;
}

static void *writer(void *arg) {
    pthread_mutex_lock(&lock);
    FILE *file = fmemopen(written, 3, "w");
    fwrite(pair, 1, 2, file);
    fclose(file);
    pthread_mutex_unlock(&lock);
    return arg;
}
