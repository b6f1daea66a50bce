/* A buffer is written out while another thread changes both of its halves.
 * Fails where one runs between the two halves of the other. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static char pair[3] = "aa";
static char written[3];

static void *writer(void *arg);

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    pair[0] = 'b';
    pair[1] = 'b';
    pthread_join(t, NULL);
    assert(written[0] == written[1]);
    return 0;
}

static void *writer(void *arg) {
    FILE *file = fmemopen(written, 3, "w");
    fwrite(pair, 1, 2, file);
    fclose(file);
    return arg;
}
