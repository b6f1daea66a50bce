/* Lock-free free list of buffer indices (Treiber stack on an array).
 * The head word carries the index in the low byte and a tag above it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#define NBUF 3
#define NIL 0xffu
#define IDX(w) ((w) & 0xffu)
#define TAG(w) ((w) >> 8)
#define MAKE(tag, idx) (((tag) << 8) | (idx))

static atomic_uint head;
static atomic_uint next_of[NBUF];
static atomic_int owned[NBUF];

static unsigned buf_alloc(void)
{
    unsigned h, idx, nx;

    do {
        h = atomic_load(&head);
        idx = IDX(h);
        if (idx == NIL)
            return NIL;
        nx = atomic_load(&next_of[idx]);
    } while (!atomic_compare_exchange_strong(&head, &h, MAKE(TAG(h), nx)));
    return idx;
}

static void buf_free(unsigned idx)
{
    unsigned h, n;

    h = atomic_load(&head);
    do {
        atomic_store(&next_of[idx], IDX(h));
        n = MAKE(TAG(h) + 1, idx);
    } while (!atomic_compare_exchange_strong(&head, &h, n));
}

static unsigned take(void)
{
    unsigned b = buf_alloc();
    if (b != NIL) {
        int was = atomic_fetch_add(&owned[b], 1);
        assert(was == 0);
    }
    return b;
}

static void give(unsigned b)
{
    atomic_fetch_sub(&owned[b], 1);
    buf_free(b);
}

static void *simple_user(void *arg)
{
    unsigned a = take();
    unsigned b = take();
    (void)arg;
    if (a != NIL)
        give(a);
    if (b != NIL)
        give(b);
    return NULL;
}

static void *busy_user(void *arg)
{
    unsigned a = take();
    unsigned b = take();
    (void)arg;
    if (a != NIL)
        give(a);        /* a goes back while b is still in use */
    if (b != NIL)
        give(b);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    int n = 0;

    for (unsigned i = 0; i < NBUF; i++)
        atomic_store(&next_of[i], i + 1 < NBUF ? i + 1 : NIL);
    atomic_store(&head, MAKE(0u, 0u));
    pthread_create(&t1, NULL, simple_user, NULL);
    pthread_create(&t2, NULL, busy_user, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    while (buf_alloc() != NIL)
        n++;
    assert(n == NBUF);
    return 0;
}
