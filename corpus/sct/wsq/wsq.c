/* A queue from which others steal (the THE protocol). The thief should say what it takes before it looks at
 * the owner's end; here it looks first, so both may take the last item. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define ITEMS 4
#define SIZE 16

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int head, tail;
static int slots[SIZE];
static atomic_int taken[ITEMS];

static void push(int item) {
    int at = atomic_load(&tail);
    slots[at % SIZE] = item;
    atomic_store(&tail, at + 1);
}

static int pop(void) {
    int at = atomic_load(&tail) - 1;
    atomic_store(&tail, at);
    if (atomic_load(&head) <= at)
        return slots[at % SIZE];
    atomic_store(&tail, at + 1);
    int item = -1;
    pthread_mutex_lock(&lock);
    at = atomic_load(&tail) - 1;
    atomic_store(&tail, at);
    if (atomic_load(&head) <= at)
        item = slots[at % SIZE];
    else
        atomic_store(&tail, at + 1);
    pthread_mutex_unlock(&lock);
    return item;
}

static int steal(void) {
    int item = -1;
    pthread_mutex_lock(&lock);
    int at = atomic_load(&head);
    if (at < atomic_load(&tail)) {
        atomic_store(&head, at + 1);
        item = slots[at % SIZE];
    }
    pthread_mutex_unlock(&lock);
    return item;
}

static void take(int item) {
    if (item >= 0)
        assert(atomic_fetch_add(&taken[item], 1) == 0);
}

static void *thief(void *arg) {
    (void)arg;
    for (int i = 0; i < 2; i++)
        take(steal());
    return NULL;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, NULL, thief, NULL);
    for (int i = 0; i < ITEMS; i += 2) {
        push(i);
        push(i + 1);
        take(pop());
    }
    take(pop());
    take(pop());
    pthread_join(other, NULL);
    return 0;
}
