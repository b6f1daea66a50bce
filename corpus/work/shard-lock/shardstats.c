/* Sharded hit counters: every shard has its lock, the totals have their own. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define SHARDS 2

struct shard {
    pthread_mutex_t lock;
    int hits;
    int misses;
};

struct totals {
    pthread_mutex_t lock;
    int requests;
    int bytes;
};

static struct shard shards[SHARDS];
static struct totals totals;

static void account_bytes(int n)
{
    pthread_mutex_lock(&totals.lock);
    totals.requests++;
    totals.bytes += n;
    pthread_mutex_unlock(&totals.lock);
}

static void record_hit(unsigned key, int bytes)
{
    struct shard *s = &shards[key % SHARDS];

    pthread_mutex_lock(&s->lock);
    s->hits++;
    pthread_mutex_unlock(&s->lock);
    account_bytes(bytes);
}

static void record_miss(unsigned key)
{
    struct shard *s = &shards[key % SHARDS];

    pthread_mutex_lock(&s->lock);
    s->misses++;
    totals.requests++;
    pthread_mutex_unlock(&s->lock);
}

static void *worker(void *arg)
{
    unsigned id = *(unsigned *)arg;

    record_hit(id, 100);
    record_miss(id + 1);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    unsigned id[2] = { 0, 1 };
    int hits = 0, misses = 0;

    pthread_mutex_init(&totals.lock, NULL);
    for (int i = 0; i < SHARDS; i++)
        pthread_mutex_init(&shards[i].lock, NULL);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, &id[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < SHARDS; i++) {
        hits += shards[i].hits;
        misses += shards[i].misses;
    }
    assert(hits == 2 && misses == 2);
    assert(totals.bytes == 200);
    assert(totals.requests == hits + misses);
    return 0;
}
