/* Blocks are moved with mempcpy, bcopy, memmem while another thread writes the source.
 * Fails where one runs between the two halves of the other. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

static char from[4] = "ab";
static char to[8];

static void *mover(void *arg);

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, mover, NULL);
    from[0] = 'x';
    from[1] = 'y';
    pthread_join(t, NULL);
    assert(memmem(to, 8, "abxy", 4) == NULL);
    return 0;
}

static void *mover(void *arg) {
    char *end = mempcpy(to, from, 2);
    bcopy(from, end, 2);
    return arg;
}
