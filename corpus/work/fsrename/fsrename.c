/* File system: concurrent renames move entries between two directories,
   each directory being protected by its own lock. */
#include <assert.h>
#include <pthread.h>

#define MOVES 2

struct directory {
    int inode;
    pthread_mutex_t lock;
    int entries;
};

struct mover {
    struct directory *from;
    struct directory *to;
    int moved;
};

static void lock_pair(struct directory *a, struct directory *b)
{
    pthread_mutex_lock(&a->lock);
    pthread_mutex_lock(&b->lock);
}

static void unlock_pair(struct directory *a, struct directory *b)
{
    pthread_mutex_unlock(&b->lock);
    pthread_mutex_unlock(&a->lock);
}

static int dir_rename(struct directory *from, struct directory *to)
{
    int ok = 0;

    lock_pair(from, to);
    if (from->entries > 0) {
        from->entries--;
        to->entries++;
        ok = 1;
    }
    unlock_pair(from, to);
    return ok;
}

static void *mover_main(void *arg)
{
    struct mover *m = arg;

    for (int i = 0; i < MOVES; i++)
        m->moved += dir_rename(m->from, m->to);
    return NULL;
}

int main(void)
{
    struct directory home = { 12, PTHREAD_MUTEX_INITIALIZER, 5 };
    struct directory tmp = { 40, PTHREAD_MUTEX_INITIALIZER, 5 };
    struct mover movers[2] = { { &home, &tmp, 0 }, { &tmp, &home, 0 } };
    pthread_t tid[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&tid[i], NULL, mover_main, &movers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(tid[i], NULL);

    assert(home.entries + tmp.entries == 10);
    assert(movers[0].moved == MOVES && movers[1].moved == MOVES);
    return 0;
}
