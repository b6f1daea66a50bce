/* A job queue: two workers run jobs until the queue is closed and every
 * submitted job has been run. */
#include <assert.h>
#include <pthread.h>

#define MAX_JOBS 4

struct job_queue {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int jobs[MAX_JOBS];
    int head, tail;
    int closed;
    int completed;
};

static struct job_queue queue = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .changed = PTHREAD_COND_INITIALIZER,
};

static void queue_submit(struct job_queue *q, int job)
{
    pthread_mutex_lock(&q->lock);
    q->jobs[q->tail++] = job;
    pthread_cond_signal(&q->changed);
    pthread_mutex_unlock(&q->lock);
}

static void queue_close(struct job_queue *q)
{
    pthread_mutex_lock(&q->lock);
    q->closed = 1;
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
}

static int queue_next(struct job_queue *q)
{
    int job = 0;

    pthread_mutex_lock(&q->lock);
    while (q->head == q->tail && !q->closed)
        pthread_cond_wait(&q->changed, &q->lock);
    if (q->head != q->tail)
        job = q->jobs[q->head++];
    pthread_mutex_unlock(&q->lock);
    return job;
}

static void *worker(void *arg)
{
    struct job_queue *q = arg;
    int job;

    while ((job = queue_next(q)) != 0) {
        pthread_mutex_lock(&q->lock);
        q->completed += job;
        pthread_mutex_unlock(&q->lock);
    }
    return NULL;
}

static void *batch_closer(void *arg)
{
    queue_close(arg);
    return NULL;
}

int main(void)
{
    pthread_t workers[2], closer;

    queue_submit(&queue, 1);
    queue_submit(&queue, 2);
    for (int i = 0; i < 2; i++)
        pthread_create(&workers[i], NULL, worker, &queue);
    pthread_create(&closer, NULL, batch_closer, &queue);

    for (int i = 0; i < 2; i++)
        pthread_join(workers[i], NULL);
    pthread_join(closer, NULL);

    assert(queue.completed == 3);
    return 0;
}
