/* A one-slot inode cache with reference counts: the last put removes the
 * inode from the cache and frees it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct inode {
    int number;
    atomic_int refs;
};

struct icache {
    pthread_mutex_t lock;
    struct inode *slot;
};

static struct icache icache = { .lock = PTHREAD_MUTEX_INITIALIZER };

static struct inode *inode_get(struct icache *c)
{
    pthread_mutex_lock(&c->lock);
    struct inode *ino = c->slot;
    if (ino)
        atomic_fetch_add(&ino->refs, 1);
    pthread_mutex_unlock(&c->lock);
    return ino;
}

static void inode_put(struct icache *c, struct inode *ino)
{
    if (atomic_fetch_sub(&ino->refs, 1) != 1)
        return;
    pthread_mutex_lock(&c->lock);
    c->slot = NULL;
    pthread_mutex_unlock(&c->lock);
    free(ino);
}

static void *closer(void *arg)
{
    inode_put(&icache, arg);
    return NULL;
}

static void *opener(void *arg)
{
    (void)arg;
    struct inode *ino = inode_get(&icache);
    if (ino) {
        assert(ino->number == 42);
        inode_put(&icache, ino);
    }
    return NULL;
}

int main(void)
{
    pthread_t open_thread, close_thread;
    struct inode *ino = malloc(sizeof *ino);

    ino->number = 42;
    atomic_init(&ino->refs, 1);
    icache.slot = ino;

    pthread_create(&open_thread, NULL, opener, NULL);
    pthread_create(&close_thread, NULL, closer, ino);
    pthread_join(open_thread, NULL);
    pthread_join(close_thread, NULL);

    assert(icache.slot == NULL);
    return 0;
}
