/* Connection pool: callers borrow a connection, wait if none is idle. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define POOL_SIZE 1
#define CLIENTS 3

struct conn {
    int id;
    int busy;
    int queries;
};

struct pool {
    pthread_mutex_t mtx;
    pthread_cond_t idle_cv;
    struct conn *idle[POOL_SIZE];
    int nidle;
};

static struct conn conns[POOL_SIZE];
static struct pool pool = {
    .mtx = PTHREAD_MUTEX_INITIALIZER,
    .idle_cv = PTHREAD_COND_INITIALIZER,
};

static struct conn *pool_borrow(struct pool *p)
{
    struct conn *c;

    pthread_mutex_lock(&p->mtx);
    while (p->nidle == 0)
        pthread_cond_wait(&p->idle_cv, &p->mtx);
    assert(p->nidle > 0);
    c = p->idle[--p->nidle];
    c->busy = 1;
    pthread_mutex_unlock(&p->mtx);
    return c;
}

static void pool_return(struct pool *p, struct conn *c)
{
    pthread_mutex_lock(&p->mtx);
    c->busy = 0;
    p->idle[p->nidle++] = c;
    pthread_cond_signal(&p->idle_cv);
    pthread_mutex_unlock(&p->mtx);
}

static void run_query(struct conn *c)
{
    assert(c->busy);
    c->queries++;
}

static void *client(void *arg)
{
    struct conn *c;
    (void)arg;
    c = pool_borrow(&pool);
    run_query(c);
    pool_return(&pool, c);
    return NULL;
}

int main(void)
{
    pthread_t t[CLIENTS];
    int total = 0;

    for (int i = 0; i < POOL_SIZE; i++) {
        conns[i].id = i;
        pool.idle[pool.nidle++] = &conns[i];
    }
    for (int i = 0; i < CLIENTS; i++)
        pthread_create(&t[i], NULL, client, NULL);
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < POOL_SIZE; i++)
        total += conns[i].queries;
    assert(total == CLIENTS);
    printf("%d queries\n", total);
    return 0;
}
