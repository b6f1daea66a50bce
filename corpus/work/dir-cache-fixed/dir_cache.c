/* A directory cache: a lookup returns the cached size of a directory or
 * loads it from disk (with the cache unlocked) and adds it. */
#include <assert.h>
#include <pthread.h>

#define CACHE_MAX 4

struct entry {
    int inode;
    int size;
};

struct dir_cache {
    pthread_mutex_t lock;
    struct entry entries[CACHE_MAX];
    int used;
};

static struct dir_cache cache = { .lock = PTHREAD_MUTEX_INITIALIZER };

static int cache_find(struct dir_cache *c, int inode)
{
    for (int i = 0; i < c->used; i++)
        if (c->entries[i].inode == inode)
            return i;
    return -1;
}

static int load_from_disk(int inode)
{
    return inode * 10;
}

static int cache_get(struct dir_cache *c, int inode)
{
    pthread_mutex_lock(&c->lock);
    int slot = cache_find(c, inode);
    if (slot >= 0) {
        int cached = c->entries[slot].size;
        pthread_mutex_unlock(&c->lock);
        return cached;
    }
    pthread_mutex_unlock(&c->lock);

    int size = load_from_disk(inode);

    pthread_mutex_lock(&c->lock);
    slot = cache_find(c, inode);
    if (slot < 0)
        slot = c->used++;
    c->entries[slot].inode = inode;
    c->entries[slot].size = size;
    pthread_mutex_unlock(&c->lock);
    return size;
}

static void *list_home(void *arg)
{
    (void)arg;
    assert(cache_get(&cache, 7) == 70);
    return NULL;
}

static void *list_tmp(void *arg)
{
    (void)arg;
    assert(cache_get(&cache, 9) == 90);
    return NULL;
}

int main(void)
{
    pthread_t home, tmp;

    pthread_create(&home, NULL, list_home, NULL);
    pthread_create(&tmp, NULL, list_tmp, NULL);
    pthread_join(home, NULL);
    pthread_join(tmp, NULL);

    assert(cache_find(&cache, 7) >= 0);
    assert(cache_find(&cache, 9) >= 0);
    assert(cache.used == 2);
    return 0;
}
