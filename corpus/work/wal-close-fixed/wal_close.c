/* A write-ahead log: writers add records, a flusher thread syncs them, and
 * closing the log waits for the flusher and syncs what is left. */
#include <assert.h>
#include <pthread.h>

struct wal {
    pthread_mutex_t lock;
    pthread_t flusher;
    int pending;
    int synced;
    int closed;
};

static struct wal wal = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void wal_sync_locked(struct wal *w)
{
    w->synced += w->pending;
    w->pending = 0;
}

static void *flusher_main(void *arg)
{
    struct wal *w = arg;
    for (int round = 0; round < 2; round++) {
        pthread_mutex_lock(&w->lock);
        wal_sync_locked(w);
        pthread_mutex_unlock(&w->lock);
    }
    return NULL;
}

static void wal_append(struct wal *w)
{
    pthread_mutex_lock(&w->lock);
    if (!w->closed)
        w->pending++;
    pthread_mutex_unlock(&w->lock);
}

static void wal_close(struct wal *w)
{
    pthread_mutex_lock(&w->lock);
    w->closed = 1;
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->flusher, NULL);
    pthread_mutex_lock(&w->lock);
    wal_sync_locked(w);
    pthread_mutex_unlock(&w->lock);
}

static void *writer(void *arg)
{
    wal_append(arg);
    return NULL;
}

int main(void)
{
    pthread_t writers[2];

    pthread_create(&wal.flusher, NULL, flusher_main, &wal);
    for (int i = 0; i < 2; i++)
        pthread_create(&writers[i], NULL, writer, &wal);
    for (int i = 0; i < 2; i++)
        pthread_join(writers[i], NULL);

    wal_close(&wal);
    assert(wal.synced == 2);
    return 0;
}
