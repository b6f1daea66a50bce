#include <assert.h>
#include <pthread.h>
#include <stddef.h>

/* Each thread puts messages into a hash table; where a slot is taken, the next one is tried. */
#define SIZE 4
static int table[SIZE];

static void *thread(void *arg) {
    int id = (int)(long)arg + 1;
    for (int message = 0; message < 2; message++) {
        int slot = (id + message) % SIZE;
        while (!__sync_bool_compare_and_swap(&table[slot], 0, id))
            slot = (slot + 1) % SIZE;
    }
    return arg;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, thread, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
