/* Two threads put keys into one skip list and remove them. At the end each key is there if it was
 * put in more often than it was taken out, and every level is sorted. */
#include "skiplist.h"

#include <assert.h>
#include <pthread.h>

#define THREADS 2
#define OPERATIONS 2
#define KEYS 3

enum what { PUT, REMOVE };

struct operation {
    enum what what;
    word key;
};

static const struct operation work[THREADS][OPERATIONS] = {
    {{PUT, 1}, {REMOVE, 1}},
    {{PUT, 2}, {PUT, 1}},
};

static struct skiplist *list;

struct worker {
    const struct operation *work;
    struct visitor visitor;
    int balance[KEYS];  /* how often a key was put in, less how often it was taken out */
};

static void perform(struct worker *worker, const struct operation *operation) {
    word key = operation->key;
    if (operation->what == PUT) {
        if (skiplist_put(list, &worker->visitor, key, 10 * key) == ABSENT)
            worker->balance[key]++;
    } else {
        if (skiplist_remove(list, &worker->visitor, key) != ABSENT)
            worker->balance[key]--;
    }
}

static void *run(void *arg) {
    struct worker *worker = arg;
    for (int i = 0; i < OPERATIONS; i++)
        perform(worker, &worker->work[i]);
    return NULL;
}

static void check(const struct worker *workers) {
    for (word key = 1; key < KEYS; key++) {
        int times = 0;
        for (int i = 0; i < THREADS; i++)
            times += workers[i].balance[key];
        word value = skiplist_lookup(list, key);
        assert(times == (value != ABSENT));
        assert(value == ABSENT || value == 10 * key);
    }
    assert(skiplist_is_sound(list));
}

int main(void) {
    pthread_t threads[THREADS];
    struct worker workers[THREADS] = {0};
    list = skiplist_new();
    for (int i = 0; i < THREADS; i++) {
        workers[i].work = work[i];
        workers[i].visitor.random = 2463534242u + (uint32_t)i;
        pthread_create(&threads[i], NULL, run, &workers[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    check(workers);
    skiplist_free(list);
    for (int i = 0; i < THREADS; i++)
        memory_free_retired(&workers[i].visitor.memory);
    return 0;
}
