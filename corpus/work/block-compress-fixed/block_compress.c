/* Parallel block compressor: workers take block numbers from a queue, main
 * waits until all blocks are compressed and cleans up. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define NBLOCKS 2
#define NWORKERS 2

struct block_queue {
    int sizes[NBLOCKS];
    int next;
    int remaining;
    pthread_mutex_t lock;
    pthread_cond_t all_done;
};

static int packed[NBLOCKS];

static struct block_queue *queue_new(void)
{
    struct block_queue *q = calloc(1, sizeof *q);
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->all_done, NULL);
    for (int i = 0; i < NBLOCKS; i++)
        q->sizes[i] = 100 * (i + 1);
    q->remaining = NBLOCKS;
    return q;
}

static void queue_free(struct block_queue *q)
{
    pthread_cond_destroy(&q->all_done);
    pthread_mutex_destroy(&q->lock);
    free(q);
}

static int queue_take(struct block_queue *q)
{
    int block = -1;
    pthread_mutex_lock(&q->lock);
    if (q->next < NBLOCKS)
        block = q->next++;
    pthread_mutex_unlock(&q->lock);
    return block;
}

static void queue_done(struct block_queue *q)
{
    pthread_mutex_lock(&q->lock);
    if (--q->remaining == 0)
        pthread_cond_signal(&q->all_done);
    pthread_mutex_unlock(&q->lock);
}

static void queue_wait(struct block_queue *q)
{
    pthread_mutex_lock(&q->lock);
    while (q->remaining > 0)
        pthread_cond_wait(&q->all_done, &q->lock);
    pthread_mutex_unlock(&q->lock);
}

static void *compress_worker(void *arg)
{
    struct block_queue *q = arg;
    int block;

    while ((block = queue_take(q)) >= 0) {
        packed[block] = q->sizes[block] / 2;
        queue_done(q);
    }
    return NULL;
}

int main(void)
{
    pthread_t workers[NWORKERS];
    struct block_queue *q = queue_new();

    for (int i = 0; i < NWORKERS; i++)
        pthread_create(&workers[i], NULL, compress_worker, q);

    queue_wait(q);
    assert(packed[0] == 50 && packed[1] == 100);

    for (int i = 0; i < NWORKERS; i++)
        pthread_join(workers[i], NULL);
    queue_free(q);
    return 0;
}
