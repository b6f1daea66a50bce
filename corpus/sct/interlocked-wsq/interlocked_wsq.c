/* The same without a lock: thieves compete by compare-and-swap, but the owner takes the last item without. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define ITEMS 4
#define SIZE 16

static atomic_int head, tail;
static atomic_int slots[SIZE];
static atomic_int taken[ITEMS];

static void push(int item) {
    int at = atomic_load(&tail);
    atomic_store(&slots[at % SIZE], item);
    atomic_store(&tail, at + 1);
}

static int pop(void) {
    int at = atomic_load(&tail) - 1;
    atomic_store(&tail, at);
    int first = atomic_load(&head);
    if (first > at) {
        atomic_store(&tail, at + 1);
        return -1;
    }
    return atomic_load(&slots[at % SIZE]);
}

static int steal(void) {
    int at = atomic_load(&head);
    if (at >= atomic_load(&tail))
        return -1;
    int item = atomic_load(&slots[at % SIZE]);
    return atomic_compare_exchange_strong(&head, &at, at + 1) ? item : -1;
}

static void take(int item) {
    if (item >= 0)
        assert(atomic_fetch_add(&taken[item], 1) == 0);
}

static void *thief(void *arg) {
    (void)arg;
    take(steal());
    take(steal());
    return NULL;
}

int main(void) {
    pthread_t thieves[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&thieves[i], NULL, thief, NULL);
    for (int i = 0; i < ITEMS; i += 2) {
        push(i);
        push(i + 1);
        take(pop());
    }
    take(pop());
    for (int i = 0; i < 2; i++)
        pthread_join(thieves[i], NULL);
    return 0;
}
