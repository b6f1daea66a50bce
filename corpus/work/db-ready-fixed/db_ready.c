/* A small database server: clients block until the loader thread has
 * opened the database, then read its schema version. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct database {
    pthread_mutex_t lock;
    pthread_cond_t opened;
    atomic_int ready;
    int schema_version;
};

static struct database db = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .opened = PTHREAD_COND_INITIALIZER,
};

static void db_open(struct database *d)
{
    d->schema_version = 7;
    pthread_mutex_lock(&d->lock);
    atomic_store(&d->ready, 1);
    pthread_cond_broadcast(&d->opened);
    pthread_mutex_unlock(&d->lock);
}

static void db_wait_open(struct database *d)
{
    pthread_mutex_lock(&d->lock);
    while (!atomic_load(&d->ready))
        pthread_cond_wait(&d->opened, &d->lock);
    pthread_mutex_unlock(&d->lock);
}

static void *loader(void *arg)
{
    (void)arg;
    db_open(&db);
    return NULL;
}

static void *client(void *arg)
{
    (void)arg;
    db_wait_open(&db);
    assert(db.schema_version == 7);
    return NULL;
}

int main(void)
{
    pthread_t load, clients[2];

    pthread_create(&clients[0], NULL, client, NULL);
    pthread_create(&load, NULL, loader, NULL);
    pthread_create(&clients[1], NULL, client, NULL);

    pthread_join(load, NULL);
    pthread_join(clients[0], NULL);
    pthread_join(clients[1], NULL);
    return 0;
}
