/* Script engine: a property cache with an 'empty' shortcut flag that is
   filled by script threads and flushed by the garbage collector. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define SLOTS 4

struct propcache {
    pthread_mutex_t lock;
    int slots[SLOTS];
    bool empty;
    int flushes;
};

static struct propcache cache = {
    PTHREAD_MUTEX_INITIALIZER, { 0 }, true, 0
};

static void propcache_insert(struct propcache *c, int key, int value)
{
    pthread_mutex_lock(&c->lock);
    c->slots[key % SLOTS] = value;
    c->empty = false;
    pthread_mutex_unlock(&c->lock);
}

static int propcache_lookup(struct propcache *c, int key)
{
    int value = 0;

    pthread_mutex_lock(&c->lock);
    if (!c->empty)
        value = c->slots[key % SLOTS];
    pthread_mutex_unlock(&c->lock);
    return value;
}

static void clear_slots(struct propcache *c)
{
    pthread_mutex_lock(&c->lock);
    for (int i = 0; i < SLOTS; i++)
        c->slots[i] = 0;
    pthread_mutex_unlock(&c->lock);
}

static void propcache_flush(struct propcache *c)
{
    clear_slots(c);
    pthread_mutex_lock(&c->lock);
    c->empty = true;
    c->flushes++;
    pthread_mutex_unlock(&c->lock);
}

static void *script(void *arg)
{
    int key = *(int *)arg;

    propcache_insert(&cache, key, 100 + key);
    int v = propcache_lookup(&cache, key);
    assert(v == 0 || v == 100 + key);
    return NULL;
}

static void *collector(void *arg)
{
    (void)arg;
    propcache_flush(&cache);
    return NULL;
}

int main(void)
{
    int keys[2] = { 1, 2 };
    pthread_t gc, scripts[2];

    pthread_create(&gc, NULL, collector, NULL);
    for (int i = 0; i < 2; i++)
        pthread_create(&scripts[i], NULL, script, &keys[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(scripts[i], NULL);
    pthread_join(gc, NULL);

    for (int i = 0; i < SLOTS; i++)
        assert(!(cache.empty && cache.slots[i] != 0));
    return 0;
}
