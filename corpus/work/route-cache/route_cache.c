/* A routing cache behind a reader-writer lock: lookups count hits, an
 * update thread changes the gateway. */
#include <assert.h>
#include <pthread.h>

struct route_cache {
    pthread_rwlock_t lock;
    int network;
    int gateway;
    int hits;
};

static struct route_cache routes = {
    .lock = PTHREAD_RWLOCK_INITIALIZER,
    .network = 10,
    .gateway = 1,
};

static int route_lookup(struct route_cache *r, int network)
{
    int gateway = -1;

    pthread_rwlock_rdlock(&r->lock);
    if (r->network == network) {
        r->hits++;
        gateway = r->gateway;
    }
    pthread_rwlock_unlock(&r->lock);
    return gateway;
}

static void route_update(struct route_cache *r, int gateway)
{
    pthread_rwlock_wrlock(&r->lock);
    r->gateway = gateway;
    pthread_rwlock_unlock(&r->lock);
}

static int route_hits(struct route_cache *r)
{
    pthread_rwlock_rdlock(&r->lock);
    int hits = r->hits;
    pthread_rwlock_unlock(&r->lock);
    return hits;
}

static void *forwarder(void *arg)
{
    (void)arg;
    int gateway = route_lookup(&routes, 10);
    assert(gateway == 1 || gateway == 2);
    return NULL;
}

static void *routing_daemon(void *arg)
{
    (void)arg;
    route_update(&routes, 2);
    return NULL;
}

int main(void)
{
    pthread_t fwd[2], daemon;

    pthread_create(&fwd[0], NULL, forwarder, NULL);
    pthread_create(&fwd[1], NULL, forwarder, NULL);
    pthread_create(&daemon, NULL, routing_daemon, NULL);
    pthread_join(fwd[0], NULL);
    pthread_join(fwd[1], NULL);
    pthread_join(daemon, NULL);

    assert(route_hits(&routes) == 2);
    return 0;
}
