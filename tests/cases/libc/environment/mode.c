/* The environment changes between two looks at it. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static void *worker(void *unused) {
    (void)unused;
    setenv("MODE", "two", 1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    setenv("MODE", "one", 1);
    pthread_create(&thread, NULL, worker, NULL);
    const char *a = getenv("MODE");
    const char *b = getenv("MODE");
    assert(strcmp(a, b) == 0);
    pthread_join(thread, NULL);
    return 0;
}
