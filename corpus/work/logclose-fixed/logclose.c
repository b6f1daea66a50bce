/* Batch converter: workers process jobs and write to a common log; the main
   thread waits until all jobs are done and shuts everything down. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define WORKERS 2

struct log {
    pthread_mutex_t lock;
    char *text;
    size_t len, cap;
};

struct batch {
    pthread_mutex_t lock;
    pthread_cond_t all_done;
    int pending;
    struct log *log;
};

static struct log *log_open(size_t cap)
{
    struct log *l = malloc(sizeof *l);
    pthread_mutex_init(&l->lock, NULL);
    l->text = calloc(1, cap);
    l->len = 0;
    l->cap = cap;
    return l;
}

static void log_write(struct log *l, const char *line)
{
    size_t n = strlen(line);

    pthread_mutex_lock(&l->lock);
    if (l->len + n < l->cap) {
        memcpy(l->text + l->len, line, n);
        l->len += n;
    }
    pthread_mutex_unlock(&l->lock);
}

static void log_close(struct log *l)
{
    pthread_mutex_destroy(&l->lock);
    free(l->text);
    free(l);
}

static void job_finished(struct batch *b)
{
    pthread_mutex_lock(&b->lock);
    if (--b->pending == 0)
        pthread_cond_signal(&b->all_done);
    pthread_mutex_unlock(&b->lock);
}

static void wait_for_jobs(struct batch *b)
{
    pthread_mutex_lock(&b->lock);
    while (b->pending > 0)
        pthread_cond_wait(&b->all_done, &b->lock);
    pthread_mutex_unlock(&b->lock);
}

static void *worker(void *arg)
{
    struct batch *b = arg;

    log_write(b->log, "convert\n");
    job_finished(b);
    log_write(b->log, "bye\n");
    return NULL;
}

int main(void)
{
    struct batch batch = {
        PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, WORKERS, NULL
    };
    pthread_t tid[WORKERS];

    batch.log = log_open(64);
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&tid[i], NULL, worker, &batch);

    wait_for_jobs(&batch);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(tid[i], NULL);
    log_close(batch.log);
    assert(batch.pending == 0);
    return 0;
}
