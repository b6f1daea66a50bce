/* THREADS threads put four messages each into a hash table by compare-and-swap. With up to eleven
 * threads no two messages have the same place; from twelve on some have, and look for the next one. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef THREADS
#define THREADS 2
#endif
#define SIZE 128
#define MESSAGES 4

static atomic_int table[SIZE];

static int message(int thread, int number) {
    return number * 11 + thread;
}

static void insert(int message) {
    int place = message * 7 % SIZE;
    for (;;) {
        int is_free = 0;
        if (atomic_compare_exchange_strong(&table[place], &is_free, message))
            return;
        place = (place + 1) % SIZE;
    }
}

static void *indexer(void *arg) {
    int thread = *(int *)arg;
    for (int number = 1; number <= MESSAGES; number++)
        insert(message(thread, number));
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    int names[THREADS];
    for (int i = 0; i < THREADS; i++) {
        names[i] = i;
        pthread_create(&threads[i], NULL, indexer, &names[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    int entries = 0;
    for (int i = 0; i < SIZE; i++)
        entries += table[i] != 0;
    assert(entries == THREADS * MESSAGES);
    return 0;
}
