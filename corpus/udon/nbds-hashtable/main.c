/* Two threads put keys into one hash table and remove them, so many that it has to grow. At the
 * end each key is there if it was put in more often than it was taken out. */
#include "hashtable.h"

#include <assert.h>
#include <pthread.h>

#define THREADS 2
#define OPERATIONS 2
#define KEYS 3
#ifndef SCALE
#define SCALE 1
#endif

enum what { PUT, REMOVE };

struct operation {
    enum what what;
    word key;
};

static const struct operation work[THREADS][OPERATIONS] = {
    {{PUT, 1}, {PUT, 2}},
    {{PUT, 1}, {REMOVE, 1}},
};

static struct hashtable *map;

struct worker {
    const struct operation *work;
    struct memory memory;
    int balance[KEYS];  /* how often a key was put in, less how often it was taken out */
};

static void perform(struct worker *worker, const struct operation *operation) {
    word key = operation->key;
    if (operation->what == PUT) {
        if (hashtable_put(map, &worker->memory, key, 10 * key, IF_ABSENT) == ABSENT)
            worker->balance[key]++;
    } else {
        if (hashtable_remove(map, &worker->memory, key) != ABSENT)
            worker->balance[key]--;
    }
}

static void *run(void *arg) {
    struct worker *worker = arg;
    for (int i = 0; i < OPERATIONS; i++)
        perform(worker, &worker->work[i]);
    return NULL;
}

static void check(struct worker *workers) {
    unsigned present = 0;
    for (word key = 1; key < KEYS; key++) {
        int times = 0;
        for (int i = 0; i < THREADS; i++)
            times += workers[i].balance[key];
        word value = hashtable_get(map, &workers[0].memory, key);
        assert(times == (value != ABSENT));
        assert(value == ABSENT || value == 10 * key);
        present += times;
    }
    assert(hashtable_count(map) == present);
}

int main(void) {
    pthread_t threads[THREADS];
    struct worker workers[THREADS] = {0};
    map = hashtable_new(SCALE);
    for (int i = 0; i < THREADS; i++) {
        workers[i].work = work[i];
        pthread_create(&threads[i], NULL, run, &workers[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    check(workers);
    hashtable_free(map);
    for (int i = 0; i < THREADS; i++)
        memory_free_retired(&workers[i].memory);
    return 0;
}
