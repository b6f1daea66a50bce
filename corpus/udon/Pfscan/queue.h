/* A queue of bounded length between threads; closed, it can only be emptied. */
#ifndef QUEUE_H
#define QUEUE_H

#include <pthread.h>
#include <stdbool.h>

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t more;  /* there is something to take, or there will never be any more */
    pthread_cond_t room;  /* there is room for another */
    void **entries;
    unsigned capacity;
    unsigned length;
    unsigned in;          /* where the next one goes */
    unsigned out;         /* where the next one is taken */
    bool closed;
    unsigned waiting;     /* who waits for more */
};

void queue_init(struct queue *queue, unsigned capacity);
void queue_put(struct queue *queue, void *entry);
/* NULL: it is closed and empty. */
void *queue_get(struct queue *queue);
void queue_close(struct queue *queue);
void queue_destroy(struct queue *queue);

#endif
