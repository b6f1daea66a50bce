#include <assert.h>
#include <pthread.h>

#define SIZE 5
#define ROUNDS 3
#define EMPTY -1
#define FULL -2

struct queue {
    int element[SIZE];
    int head, tail, amount;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct queue queue;
static int stored[SIZE];

static int enqueue(struct queue *q, int x) {
    if (q->amount == SIZE)
        return FULL;
    q->element[q->tail] = x;
    q->amount++;
    q->tail = q->tail == SIZE - 1 ? 0 : q->tail + 1;
    return 0;
}

static int dequeue(struct queue *q) {
    if (q->amount == 0)
        return EMPTY;
    int x = q->element[q->head];
    q->amount--;
    q->head = q->head == SIZE - 1 ? 0 : q->head + 1;
    return x;
}

static void *fill(void *arg) {
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        stored[i] = 10 + i;
        enqueue(&queue, stored[i]);
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static void *drain(void *arg) {
    int taken = 0;
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        int x = dequeue(&queue);
        assert(x == stored[taken]);
        taken++;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, fill, NULL);
    pthread_create(&two, NULL, drain, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
