/* A bounded pipe between two producer threads and one consumer. */
#include <assert.h>
#include <pthread.h>

#define PIPE_CAP 2

struct pipe {
    pthread_mutex_t lock;
    pthread_cond_t not_empty;
    pthread_cond_t not_full;
    int items[PIPE_CAP];
    int head;
    int count;
};

static struct pipe pipe_ = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .not_empty = PTHREAD_COND_INITIALIZER,
    .not_full = PTHREAD_COND_INITIALIZER,
};

static void pipe_put(struct pipe *p, int item)
{
    pthread_mutex_lock(&p->lock);
    while (p->count == PIPE_CAP)
        pthread_cond_wait(&p->not_full, &p->lock);
    p->items[(p->head + p->count) % PIPE_CAP] = item;
    p->count++;
    pthread_cond_signal(&p->not_empty);
    pthread_mutex_unlock(&p->lock);
}

static int pipe_get(struct pipe *p)
{
    pthread_mutex_lock(&p->lock);
    while (p->count == 0)
        pthread_cond_wait(&p->not_empty, &p->lock);
    int item = p->items[p->head];
    p->head = (p->head + 1) % PIPE_CAP;
    p->count--;
    pthread_cond_signal(&p->not_full);
    pthread_mutex_unlock(&p->lock);
    return item;
}

static void *burst_producer(void *arg)
{
    (void)arg;
    pipe_put(&pipe_, 1);
    pipe_put(&pipe_, 2);
    return NULL;
}

static void *single_producer(void *arg)
{
    (void)arg;
    pipe_put(&pipe_, 3);
    return NULL;
}

static void *consumer(void *arg)
{
    int *total = arg;
    for (int i = 0; i < 3; i++)
        *total += pipe_get(&pipe_);
    return NULL;
}

int main(void)
{
    pthread_t burst, single, cons;
    int total = 0;

    pthread_create(&burst, NULL, burst_producer, NULL);
    pthread_create(&cons, NULL, consumer, &total);
    pthread_create(&single, NULL, single_producer, NULL);
    pthread_join(burst, NULL);
    pthread_join(cons, NULL);
    pthread_join(single, NULL);

    assert(total == 6);
    return 0;
}
