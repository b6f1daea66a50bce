/* A pool of DMA buffers guarded by a counting semaphore; each user takes a
 * buffer, uses it and gives it back. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#define NBUFFERS 2
#define NUSERS 3

struct buffer_pool {
    sem_t available;
    pthread_mutex_t lock;
    int in_use[NBUFFERS];
};

static struct buffer_pool pool;

static void pool_init(struct buffer_pool *p)
{
    sem_init(&p->available, 0, NBUFFERS);
    pthread_mutex_init(&p->lock, NULL);
}

static int pool_acquire(struct buffer_pool *p)
{
    int i;

    sem_wait(&p->available);
    pthread_mutex_lock(&p->lock);
    for (i = 0; i < NBUFFERS; i++)
        if (!p->in_use[i])
            break;
    assert(i < NBUFFERS);
    p->in_use[i] = 1;
    pthread_mutex_unlock(&p->lock);
    return i;
}

static void pool_release(struct buffer_pool *p, int i)
{
    pthread_mutex_lock(&p->lock);
    p->in_use[i] = 0;
    pthread_mutex_unlock(&p->lock);
    sem_post(&p->available);
}

static void *dma_user(void *arg)
{
    (void)arg;
    int buf = pool_acquire(&pool);
    pool_release(&pool, buf);
    return NULL;
}

int main(void)
{
    pthread_t users[NUSERS];

    pool_init(&pool);
    for (int i = 0; i < NUSERS; i++)
        pthread_create(&users[i], NULL, dma_user, NULL);
    for (int i = 0; i < NUSERS; i++)
        pthread_join(users[i], NULL);

    pthread_mutex_destroy(&pool.lock);
    sem_destroy(&pool.available);
    return 0;
}
