/* Blocks are moved with mempcpy, bcopy, memmem while another thread writes the source.
 * Behind a lock it holds. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

static char from[4] = "ab";
static char to[8];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *mover(void *arg);

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, mover, NULL);
    pthread_mutex_lock(&lock);
    from[0] = 'x';
    from[1] = 'y';
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    assert(memmem(to, 8, "abxy", 4) == NULL);
    return 0;
}

static void *mover(void *arg) {
    pthread_mutex_lock(&lock);
    char *end = mempcpy(to, from, 2);
    bcopy(from, end, 2);
    pthread_mutex_unlock(&lock);
    return arg;
}
