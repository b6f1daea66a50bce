/* The bad access is the first thing that T1 does after the last switch; if main went on instead, the
 * process would end. */
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

static int *table;
static volatile int other;

static void *worker(void *unused) {
    (void)unused;
    other = 1;
    int *mine = table;
    if (mine)
        mine[1] = 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    table = malloc(16);
    pthread_create(&thread, NULL, worker, NULL);
    int *old = table;
    table = NULL;
    free(old);
    other = 2;
    _exit(0);
}
