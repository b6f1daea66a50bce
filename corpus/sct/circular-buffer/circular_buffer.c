/* A ring without locks whose writer moves the end before it has filled the slot. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 4
#define ITEMS 4

static atomic_int first, next;
static atomic_int ring[SIZE];

static int put(int value) {
    int at = atomic_load(&next);
    if ((at + 1) % SIZE == atomic_load(&first))
        return 0;
    atomic_store(&next, (at + 1) % SIZE);
    atomic_store(&ring[at], value);
    return 1;
}

static int get(void) {
    int at = atomic_load(&first);
    if (at == atomic_load(&next))
        return -1;
    int value = atomic_load(&ring[at]);
    atomic_store(&first, (at + 1) % SIZE);
    return value;
}

static void *writer(void *arg) {
    (void)arg;
    for (int i = 1; i <= ITEMS; i++)
        put(i);
    return NULL;
}

static void *reader(void *arg) {
    (void)arg;
    int last = 0;
    for (int i = 0; i < ITEMS; i++) {
        int value = get();
        if (value < 0)
            continue;
        assert(value > last);
        last = value;
    }
    return NULL;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, writer, NULL);
    pthread_create(&other, NULL, reader, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
