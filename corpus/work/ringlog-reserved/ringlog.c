/* Log ring: writers reserve a slot, fill it and mark it committed; the
 * flusher writes out records in order. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#define SLOTS 4
#define WRITERS 2

struct record {
    int level;
    int code;
    atomic_int committed;
};

static struct record ring[SLOTS];
static atomic_int reserved;
static int flushed_upto;
static int flushed_codes;

static void log_write(int level, int code)
{
    int at = atomic_fetch_add(&reserved, 1);
    struct record *r = &ring[at % SLOTS];

    r->level = level;
    r->code = code;
    atomic_store(&r->committed, 1);
}

static void emit(const struct record *r)
{
    assert(r->level >= 1 && r->level <= 7);
    assert(r->code != 0);
    flushed_codes += r->code;
}

static int log_flush(void)
{
    int n = 0;
    int end = atomic_load(&reserved);

    while (flushed_upto < end) {
        struct record *r = &ring[flushed_upto % SLOTS];
        emit(r);
        flushed_upto++;
        n++;
    }
    return n;
}

static void *writer(void *arg)
{
    int code = *(int *)arg;
    log_write(3, code);
    return NULL;
}

static void *flusher(void *arg)
{
    (void)arg;
    for (int i = 0; i < 2; i++)
        log_flush();
    return NULL;
}

int main(void)
{
    pthread_t w[WRITERS], f;
    int codes[WRITERS] = { 11, 22 };

    pthread_create(&f, NULL, flusher, NULL);
    for (int i = 0; i < WRITERS; i++)
        pthread_create(&w[i], NULL, writer, &codes[i]);
    for (int i = 0; i < WRITERS; i++)
        pthread_join(w[i], NULL);
    pthread_join(f, NULL);
    log_flush();
    assert(flushed_codes == 33);
    printf("%d records\n", flushed_upto);
    return 0;
}
