#include "queue.h"

#include <assert.h>
#include <stdlib.h>

void queue_init(struct queue *queue, unsigned capacity) {
    pthread_mutex_init(&queue->lock, NULL);
    pthread_cond_init(&queue->more, NULL);
    pthread_cond_init(&queue->room, NULL);
    queue->entries = calloc(capacity, sizeof *queue->entries);
    if (queue->entries == NULL)
        abort();
    queue->capacity = capacity;
    queue->length = 0;
    queue->in = 0;
    queue->out = 0;
    queue->closed = false;
    queue->waiting = 0;
}

void queue_put(struct queue *queue, void *entry) {
    pthread_mutex_lock(&queue->lock);
    assert(!queue->closed);
    while (queue->length == queue->capacity)
        pthread_cond_wait(&queue->room, &queue->lock);
    queue->entries[queue->in] = entry;
    queue->in = (queue->in + 1) % queue->capacity;
    queue->length++;
    if (queue->waiting > 0)
        pthread_cond_signal(&queue->more);
    pthread_mutex_unlock(&queue->lock);
}

void *queue_get(struct queue *queue) {
    void *entry = NULL;
    pthread_mutex_lock(&queue->lock);
    while (queue->length == 0 && !queue->closed) {
        queue->waiting++;
        pthread_cond_wait(&queue->more, &queue->lock);
        queue->waiting--;
    }
    if (queue->length > 0) {
        entry = queue->entries[queue->out];
        queue->out = (queue->out + 1) % queue->capacity;
        /* Only one puts in, so that only one can be waiting for room. */
        if (queue->length == queue->capacity)
            pthread_cond_signal(&queue->room);
        queue->length--;
    }
    pthread_mutex_unlock(&queue->lock);
    return entry;
}

void queue_close(struct queue *queue) {
    pthread_mutex_lock(&queue->lock);
    queue->closed = true;
#ifdef BAD
    pthread_cond_signal(&queue->more); /* where two wait, one waits for ever */
#else
    pthread_cond_broadcast(&queue->more);
#endif
    pthread_mutex_unlock(&queue->lock);
}

void queue_destroy(struct queue *queue) {
    assert(queue->length == 0);
    pthread_cond_destroy(&queue->more);
    pthread_cond_destroy(&queue->room);
    pthread_mutex_destroy(&queue->lock);
    free(queue->entries);
}
