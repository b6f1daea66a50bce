/* A background worker that handles posted jobs until it is told to stop. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct worker {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    atomic_int stop;
    int pending;
    int handled;
};

static struct worker worker = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .wake = PTHREAD_COND_INITIALIZER,
};

static void worker_post(struct worker *w)
{
    pthread_mutex_lock(&w->lock);
    w->pending++;
    pthread_cond_signal(&w->wake);
    pthread_mutex_unlock(&w->lock);
}

static void worker_stop(struct worker *w)
{
    pthread_mutex_lock(&w->lock);
    atomic_store(&w->stop, 1);
    pthread_cond_signal(&w->wake);
    pthread_mutex_unlock(&w->lock);
}

static void *worker_main(void *arg)
{
    struct worker *w = arg;

    while (!atomic_load(&w->stop)) {
        pthread_mutex_lock(&w->lock);
        if (w->pending == 0)
            pthread_cond_wait(&w->wake, &w->lock);
        if (w->pending > 0) {
            w->pending--;
            w->handled++;
        }
        pthread_mutex_unlock(&w->lock);
    }
    return NULL;
}

static void *client(void *arg)
{
    worker_post(arg);
    return NULL;
}

int main(void)
{
    pthread_t work, cl;

    pthread_create(&work, NULL, worker_main, &worker);
    pthread_create(&cl, NULL, client, &worker);
    pthread_join(cl, NULL);
    worker_stop(&worker);
    pthread_join(work, NULL);

    assert(worker.handled + worker.pending == 1);
    return 0;
}
