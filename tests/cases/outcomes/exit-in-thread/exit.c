/* A thread ends the whole program with exit(4); main would have returned 0.
 * Happens where the thread sees what main wrote. */
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static int x;

static void *worker(void *arg) {
    (void)arg;
    if (x == 1)
        exit(4);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    x = 1;
    pthread_join(t, NULL);
    return 0;
}
