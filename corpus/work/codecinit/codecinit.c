/* Media library: decoders look their codec up in a table that is built by
   whichever thread needs it first. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#define MAX_CODECS 2
#define DECODERS 3

typedef int (*decode_fn)(int sample);

struct codec {
    const char *name;
    decode_fn decode;
};

static struct codec codecs[MAX_CODECS];
static int codec_count;
static atomic_int codecs_ready;
static pthread_mutex_t codecs_lock = PTHREAD_MUTEX_INITIALIZER;

static int decode_pcm(int sample)
{
    return sample;
}

static int decode_ulaw(int sample)
{
    return ~sample & 0xff;
}

static void codec_register(const char *name, decode_fn decode)
{
    codecs[codec_count].name = name;
    codecs[codec_count].decode = decode;
    codec_count++;
}

static void codecs_ensure_ready(void)
{
    if (atomic_load(&codecs_ready))
        return;
    pthread_mutex_lock(&codecs_lock);
    if (!atomic_load(&codecs_ready)) {
        atomic_store(&codecs_ready, 1);
        codec_register("pcm", decode_pcm);
        codec_register("ulaw", decode_ulaw);
    }
    pthread_mutex_unlock(&codecs_lock);
}

static const struct codec *codec_find(const char *name)
{
    codecs_ensure_ready();
    for (int i = 0; i < codec_count; i++)
        if (strcmp(codecs[i].name, name) == 0)
            return &codecs[i];
    return NULL;
}

static void *decoder(void *arg)
{
    const struct codec *c = codec_find(arg);

    assert(c != NULL);
    assert(c->decode(0x0f) > 0);
    return NULL;
}

int main(void)
{
    char *wanted[DECODERS] = { "pcm", "ulaw", "pcm" };
    pthread_t tid[DECODERS];

    for (int i = 0; i < DECODERS; i++)
        pthread_create(&tid[i], NULL, decoder, wanted[i]);
    for (int i = 0; i < DECODERS; i++)
        pthread_join(tid[i], NULL);
    assert(codec_count == MAX_CODECS);
    return 0;
}
