/* A registry of codecs, created on first use and shared by all threads. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define NCODECS 2

struct registry {
    int *sample_rate;
    int count;
};

static _Atomic(struct registry *) instance;
static pthread_mutex_t init_lock = PTHREAD_MUTEX_INITIALIZER;

static struct registry *registry_get(void)
{
    struct registry *r = atomic_load(&instance);
    if (r)
        return r;

    pthread_mutex_lock(&init_lock);
    r = atomic_load(&instance);
    if (!r) {
        r = calloc(1, sizeof *r);
        atomic_store(&instance, r);
        r->sample_rate = malloc(NCODECS * sizeof *r->sample_rate);
        r->sample_rate[0] = 8000;
        r->sample_rate[1] = 44100;
        r->count = NCODECS;
    }
    pthread_mutex_unlock(&init_lock);
    return r;
}

static int codec_rate(int codec)
{
    struct registry *r = registry_get();
    assert(codec < r->count);
    return r->sample_rate[codec];
}

static void *player(void *arg)
{
    (void)arg;
    assert(codec_rate(0) == 8000);
    return NULL;
}

static void *recorder(void *arg)
{
    (void)arg;
    assert(codec_rate(1) == 44100);
    return NULL;
}

int main(void)
{
    pthread_t play, rec;

    pthread_create(&play, NULL, player, NULL);
    pthread_create(&rec, NULL, recorder, NULL);
    pthread_join(play, NULL);
    pthread_join(rec, NULL);

    struct registry *r = registry_get();
    free(r->sample_rate);
    free(r);
    return 0;
}
