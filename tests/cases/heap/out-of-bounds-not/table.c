/* A table with an entry for each thread; the number of threads is counted from zero. */
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static int *table;
static int used;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused) {
    pthread_mutex_lock(&lock);
    int mine = used++;
    pthread_mutex_unlock(&lock);
    table[mine] = 1;
    return unused;
}

int main(void) {
    pthread_t t[2];
    table = malloc(2 * sizeof *table);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    free(table);
    return 0;
}
