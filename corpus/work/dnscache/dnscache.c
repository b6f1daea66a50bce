/* DNS resolver cache: readers look names up under a read lock, a refresher
   replaces addresses under the write lock. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

#define ENTRIES 2
#define LOOKUPS 2
#define CLIENTS 2

struct dns_entry {
    const char *name;
    unsigned addr;
    int hits;
};

struct dns_cache {
    pthread_rwlock_t lock;
    struct dns_entry entries[ENTRIES];
};

static struct dns_cache cache = {
    PTHREAD_RWLOCK_INITIALIZER,
    { { "db.local", 0x0a000001, 0 }, { "web.local", 0x0a000002, 0 } },
};

static struct dns_entry *find_entry(struct dns_cache *c, const char *name)
{
    for (int i = 0; i < ENTRIES; i++)
        if (strcmp(c->entries[i].name, name) == 0)
            return &c->entries[i];
    return NULL;
}

static unsigned dns_lookup(struct dns_cache *c, const char *name)
{
    unsigned addr = 0;

    pthread_rwlock_rdlock(&c->lock);
    struct dns_entry *e = find_entry(c, name);
    if (e) {
        e->hits++;
        addr = e->addr;
    }
    pthread_rwlock_unlock(&c->lock);
    return addr;
}

static void dns_update(struct dns_cache *c, const char *name, unsigned addr)
{
    pthread_rwlock_wrlock(&c->lock);
    struct dns_entry *e = find_entry(c, name);
    if (e)
        e->addr = addr;
    pthread_rwlock_unlock(&c->lock);
}

static void *client(void *arg)
{
    (void)arg;
    for (int i = 0; i < LOOKUPS; i++)
        assert(dns_lookup(&cache, "web.local") != 0);
    return NULL;
}

static void *refresher(void *arg)
{
    (void)arg;
    dns_update(&cache, "web.local", 0x0a000012);
    return NULL;
}

int main(void)
{
    pthread_t clients[CLIENTS], refresh;

    for (int i = 0; i < CLIENTS; i++)
        pthread_create(&clients[i], NULL, client, NULL);
    pthread_create(&refresh, NULL, refresher, NULL);
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(clients[i], NULL);
    pthread_join(refresh, NULL);

    assert(cache.entries[1].hits == CLIENTS * LOOKUPS);
    return 0;
}
