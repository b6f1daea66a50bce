/* A record is copied with memccpy while another thread writes both of its halves.
 * Fails where one runs between the two halves of the other. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static char record[4] = "ab.";
static char seen[4];

static void *copier(void *arg);

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, copier, NULL);
    record[0] = 'x';
    record[1] = 'y';
    pthread_join(t, NULL);
    assert(memcmp(seen, "ab.", 3) == 0 || memcmp(seen, "xy.", 3) == 0);
    return 0;
}

static void *copier(void *arg) {
    memccpy(seen, record, '.', sizeof record);
    return arg;
}
