/* Two threads take fields from the same text.
 * Behind a lock it holds. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static char text[] = "a,b";
static char *rest = text;
static char *mine, *others;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *taker(void *arg);

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, taker, NULL);
    pthread_mutex_lock(&lock);
    mine = strsep(&rest, ",");
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    assert(mine != others);
    return 0;
}

static void *taker(void *arg) {
    pthread_mutex_lock(&lock);
    others = strsep(&rest, ",");
    pthread_mutex_unlock(&lock);
    return arg;
}
