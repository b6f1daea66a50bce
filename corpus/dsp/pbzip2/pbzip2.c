// A queue of blocks. The main thread waits for the producer only, and takes the queue away while consumers still use it.
#include <pthread.h>
#include <stdlib.h>

#ifndef CONSUMERS
#define CONSUMERS 2
#endif
#ifndef BLOCKS
#define BLOCKS 2
#endif

struct queue {
    pthread_mutex_t lock;
    int waiting[BLOCKS];
    int head, tail;
    int closed;
};

static struct queue *fifo;
static long compressed[CONSUMERS];

static void *produce(void *arg) {
    struct queue *queue = arg;
    for (int i = 0; i < BLOCKS; i++) {
        pthread_mutex_lock(&queue->lock);
        queue->waiting[queue->tail] = i + 1;
        queue->tail = queue->tail + 1;
        pthread_mutex_unlock(&queue->lock);
    }
    pthread_mutex_lock(&queue->lock);
    queue->closed = 1;
    pthread_mutex_unlock(&queue->lock);
    return NULL;
}

static void *consume(void *arg) {
    long me = (long)arg;
    for (int looks = 0; looks < BLOCKS; looks++) {
        struct queue *queue = fifo;
        pthread_mutex_lock(&queue->lock);
        if (queue->head < queue->tail) {
            compressed[me] += queue->waiting[queue->head];
            queue->head = queue->head + 1;
        }
        pthread_mutex_unlock(&queue->lock);
    }
    return NULL;
}

int main(void) {
    pthread_t producer, consumers[CONSUMERS];
    fifo = calloc(1, sizeof *fifo);
    pthread_mutex_init(&fifo->lock, NULL);
    pthread_create(&producer, NULL, produce, fifo);
    for (long i = 0; i < CONSUMERS; i++)
        pthread_create(&consumers[i], NULL, consume, (void *)i);
    pthread_join(producer, NULL);
    fifo = NULL;
    for (int i = 0; i < CONSUMERS; i++)
        pthread_join(consumers[i], NULL);
    return 0;
}
