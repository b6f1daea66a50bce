/* Cache statistics: lookups count hits and misses, a reporter prints a
 * summary in which hits and misses must add up to the lookups. */
#include <assert.h>
#include <pthread.h>

struct cache_stats {
    pthread_mutex_t lock;
    int lookups;
    int hits;
    int misses;
};

static struct cache_stats stats = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void stats_count(struct cache_stats *s, int found)
{
    pthread_mutex_lock(&s->lock);
    s->lookups++;
    if (found)
        s->hits++;
    else
        s->misses++;
    pthread_mutex_unlock(&s->lock);
}

static int stats_read(struct cache_stats *s, const int *counter)
{
    pthread_mutex_lock(&s->lock);
    int value = *counter;
    pthread_mutex_unlock(&s->lock);
    return value;
}

static void *lookup_present(void *arg)
{
    stats_count(arg, 1);
    return NULL;
}

static void *lookup_absent(void *arg)
{
    stats_count(arg, 0);
    return NULL;
}

static void *reporter(void *arg)
{
    struct cache_stats *s = arg;
    int hits = stats_read(s, &s->hits);
    int misses = stats_read(s, &s->misses);
    int lookups = stats_read(s, &s->lookups);

    assert(hits + misses == lookups);
    return NULL;
}

int main(void)
{
    pthread_t present, absent, report;

    pthread_create(&present, NULL, lookup_present, &stats);
    pthread_create(&report, NULL, reporter, &stats);
    pthread_create(&absent, NULL, lookup_absent, &stats);
    pthread_join(present, NULL);
    pthread_join(report, NULL);
    pthread_join(absent, NULL);

    assert(stats.lookups == 2);
    return 0;
}
