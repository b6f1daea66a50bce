/* A mail spool: one receiver stores messages, two delivery threads take
 * one message each. */
#include <assert.h>
#include <pthread.h>

#define SPOOL_MAX 4

struct spool {
    pthread_mutex_t lock;
    pthread_cond_t arrived;
    int msgs[SPOOL_MAX];
    int count;
};

static struct spool spool = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .arrived = PTHREAD_COND_INITIALIZER,
};

static void spool_put(struct spool *s, int msg)
{
    pthread_mutex_lock(&s->lock);
    s->msgs[s->count++] = msg;
    pthread_cond_signal(&s->arrived);
    pthread_mutex_unlock(&s->lock);
}

static int spool_take(struct spool *s)
{
    pthread_mutex_lock(&s->lock);
    while (s->count == 0)
        pthread_cond_wait(&s->arrived, &s->lock);
    assert(s->count > 0);
    int msg = s->msgs[--s->count];
    pthread_mutex_unlock(&s->lock);
    return msg;
}

static void *receiver(void *arg)
{
    (void)arg;
    spool_put(&spool, 1);
    spool_put(&spool, 2);
    return NULL;
}

static void *delivery(void *arg)
{
    int *delivered = arg;
    *delivered = spool_take(&spool);
    return NULL;
}

int main(void)
{
    pthread_t recv, del[2];
    int delivered[2] = { 0, 0 };

    pthread_create(&del[0], NULL, delivery, &delivered[0]);
    pthread_create(&recv, NULL, receiver, NULL);
    pthread_create(&del[1], NULL, delivery, &delivered[1]);
    pthread_join(del[0], NULL);
    pthread_join(del[1], NULL);
    pthread_join(recv, NULL);

    assert(delivered[0] + delivered[1] == 3);
    return 0;
}
