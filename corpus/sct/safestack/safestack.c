/* Vyukov's lock-free stack: who pops takes the link out of an item before it moves the head. Three threads
 * and at least five preemptions let two of them hold the same item. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#define THREADS 3
#define ROUNDS 2

static struct {
    int value;
    atomic_int next;
} items[THREADS];
static atomic_int head, count = THREADS;

static int pop(void) {
    while (atomic_load(&count) > 1) {
        int first = atomic_load(&head);
        int next = atomic_exchange(&items[first].next, -1);
        if (next >= 0) {
            int expected = first;
            if (atomic_compare_exchange_strong(&head, &expected, next)) {
                atomic_fetch_sub(&count, 1);
                return first;
            }
            atomic_exchange(&items[first].next, next);
        }
    }
    return -1;
}

static void push(int item) {
    int first = atomic_load(&head);
    do {
        atomic_store(&items[item].next, first);
    } while (!atomic_compare_exchange_strong(&head, &first, item));
    atomic_fetch_add(&count, 1);
}

static void *work(void *arg) {
    int mine = (int)(long)arg;
    for (int i = 0; i < ROUNDS; i++) {
        int item;
        while ((item = pop()) < 0)
            sched_yield();
        items[item].value = mine;
        assert(items[item].value == mine);
        push(item);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        atomic_init(&items[i].next, i + 1 < THREADS ? i + 1 : -1);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
