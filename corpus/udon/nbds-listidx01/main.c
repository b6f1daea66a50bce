/* Two threads put keys into one list and remove them. At the end each key is there if it was put
 * in more often than it was taken out, and the list is sorted. */
#include "list.h"

#include <assert.h>
#include <pthread.h>

#define THREADS 2
#define OPERATIONS 3
#define KEYS 3

enum what { PUT, REMOVE };

struct operation {
    enum what what;
    word key;
};

static const struct operation work[THREADS][OPERATIONS] = {
    {{PUT, 1}, {PUT, 2}, {REMOVE, 1}},
    {{REMOVE, 1}, {PUT, 2}, {REMOVE, 2}},
};

static struct list *list;

struct worker {
    const struct operation *work;
    struct memory memory;
    int balance[KEYS];  /* how often a key was put in, less how often it was taken out */
};

static void perform(struct worker *worker, const struct operation *operation) {
    word key = operation->key;
    if (operation->what == PUT) {
        if (list_put(list, &worker->memory, key, 10 * key, IF_ABSENT) == ABSENT)
            worker->balance[key]++;
    } else {
        if (list_remove(list, &worker->memory, key) != ABSENT)
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
        assert(times == (list_lookup(list, key) != ABSENT));
    }
    word last = 0, value;
    for (word key = 0; (value = list_after(list, &key)) != ABSENT; last = key)
        assert(key > last && value == 10 * key);
}

int main(void) {
    pthread_t threads[THREADS];
    struct worker workers[THREADS] = {0};
    list = list_new();
    for (int i = 0; i < THREADS; i++) {
        workers[i].work = work[i];
        pthread_create(&threads[i], NULL, run, &workers[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    check(workers);
    list_free(list);
    for (int i = 0; i < THREADS; i++)
        memory_free_retired(&workers[i].memory);
    return 0;
}
