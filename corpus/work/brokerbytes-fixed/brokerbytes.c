/* Message broker: publishers append messages to a topic, a subscriber drains
   it, and a byte account of the queued payload is kept for flow control. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define MESSAGES 2

struct message {
    struct message *next;
    long size;
};

struct topic {
    pthread_mutex_t lock;
    pthread_cond_t nonempty;
    struct message *head, *tail;
    atomic_long queued_bytes;
};

static struct topic topic = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, NULL, 0
};

static void topic_publish(struct topic *t, long size)
{
    struct message *m = malloc(sizeof *m);
    m->next = NULL;
    m->size = size;

    pthread_mutex_lock(&t->lock);
    if (t->tail)
        t->tail->next = m;
    else
        t->head = m;
    t->tail = m;
    pthread_cond_signal(&t->nonempty);
    atomic_fetch_add(&t->queued_bytes, size);
    pthread_mutex_unlock(&t->lock);
}

static struct message *topic_receive(struct topic *t)
{
    pthread_mutex_lock(&t->lock);
    while (!t->head)
        pthread_cond_wait(&t->nonempty, &t->lock);
    struct message *m = t->head;
    t->head = m->next;
    if (!t->head)
        t->tail = NULL;
    long before = atomic_fetch_sub(&t->queued_bytes, m->size);
    pthread_mutex_unlock(&t->lock);
    assert(before >= m->size);
    return m;
}

static void *publisher(void *arg)
{
    topic_publish(&topic, *(long *)arg);
    return NULL;
}

static void *subscriber(void *arg)
{
    (void)arg;
    for (int i = 0; i < MESSAGES; i++)
        free(topic_receive(&topic));
    return NULL;
}

int main(void)
{
    long sizes[MESSAGES] = { 100, 40 };
    pthread_t pub[MESSAGES], sub;

    for (int i = 0; i < MESSAGES; i++)
        pthread_create(&pub[i], NULL, publisher, &sizes[i]);
    pthread_create(&sub, NULL, subscriber, NULL);
    for (int i = 0; i < MESSAGES; i++)
        pthread_join(pub[i], NULL);
    pthread_join(sub, NULL);
    assert(atomic_load(&topic.queued_bytes) == 0);
    return 0;
}
