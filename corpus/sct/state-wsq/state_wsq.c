/* Head and tail in one word, changed by compare-and-swap. A thief reads its slot after it has won it: by
 * then the ring may have gone round, and the slot holds another item. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define ITEMS 4
#define SIZE 2

/* 16 bits of head, 16 bits of tail. */
static atomic_uint state;
static atomic_int slots[SIZE];
static atomic_int taken[ITEMS];

static int push(int item) {
    unsigned now = atomic_load(&state);
    for (;;) {
        unsigned head = now >> 16, tail = now & 0xffff;
        if (tail - head == SIZE)
            return 0;
        atomic_store(&slots[tail % SIZE], item);
        if (atomic_compare_exchange_strong(&state, &now, head << 16 | (tail + 1)))
            return 1;
    }
}

static int pop(void) {
    unsigned now = atomic_load(&state);
    for (;;) {
        unsigned head = now >> 16, tail = now & 0xffff;
        if (head == tail)
            return -1;
        int item = atomic_load(&slots[(tail - 1) % SIZE]);
        if (atomic_compare_exchange_strong(&state, &now, head << 16 | (tail - 1)))
            return item;
    }
}

static int steal(void) {
    unsigned now = atomic_load(&state);
    unsigned head = now >> 16, tail = now & 0xffff;
    if (head == tail)
        return -1;
    if (!atomic_compare_exchange_strong(&state, &now, (head + 1) << 16 | tail))
        return -1;
    return atomic_load(&slots[head % SIZE]);
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
    pthread_t other;
    pthread_create(&other, NULL, thief, NULL);
    for (int i = 0; i < ITEMS; i++)
        push(i);
    take(pop());
    take(pop());
    pthread_join(other, NULL);
    return 0;
}
