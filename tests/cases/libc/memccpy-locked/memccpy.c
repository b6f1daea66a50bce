/* A record is copied with memccpy while another thread writes both of its halves.
 * Behind a lock it holds. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static char record[4] = "ab.";
static char seen[4];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *copier(void *arg);

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, copier, NULL);
    pthread_mutex_lock(&lock);
    record[0] = 'x';
    record[1] = 'y';
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    assert(memcmp(seen, "ab.", 3) == 0 || memcmp(seen, "xy.", 3) == 0);
    return 0;
}

static void *copier(void *arg) {
    pthread_mutex_lock(&lock);
    memccpy(seen, record, '.', sizeof record);
    pthread_mutex_unlock(&lock);
    return arg;
}
