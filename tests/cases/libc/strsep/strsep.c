/* Two threads take fields from the same text.
 * Fails where one runs between the two halves of the other. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static char text[] = "a,b";
static char *rest = text;
static char *mine, *others;

static void *taker(void *arg);

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, taker, NULL);
    mine = strsep(&rest, ",");
    pthread_join(t, NULL);
    assert(mine != others);
    return 0;
}

static void *taker(void *arg) {
    others = strsep(&rest, ",");
    return arg;
}
