/* Clock page in the manner of a vDSO: a sequence count guards a pair of
 * values, odd while the writer is at work. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#define TICKS 2
#define READS 2

struct clockpage {
    atomic_uint seq;
    atomic_long sec;
    atomic_long nsec;
};

static struct clockpage page;

/* keeps the invariant nsec == sec * 10 */
static void clock_update(struct clockpage *p, long sec)
{
    unsigned s = atomic_fetch_add(&p->seq, 1);

    atomic_store(&p->sec, sec);
    atomic_store(&p->nsec, sec * 10);
    atomic_store(&p->seq, s + 2);
}

static int clock_read(struct clockpage *p, long *sec, long *nsec)
{
    for (int tries = 0; tries < 3; tries++) {
        unsigned s = atomic_load(&p->seq);
        if (s & 1)
            continue;
        *sec = atomic_load(&p->sec);
        *nsec = atomic_load(&p->nsec);
        if (atomic_load(&p->seq) == s)
            return 1;
    }
    return 0;
}

static void *ticker(void *arg)
{
    (void)arg;
    for (long i = 1; i <= TICKS; i++)
        clock_update(&page, i);
    return NULL;
}

static void *client(void *arg)
{
    long last = 0;
    (void)arg;
    for (int i = 0; i < READS; i++) {
        long s, ns;
        if (!clock_read(&page, &s, &ns))
            continue;
        assert(ns == s * 10);
        assert(s >= last);
        last = s;
    }
    return NULL;
}

int main(void)
{
    pthread_t t, c;
    long s, ns;

    pthread_create(&t, NULL, ticker, NULL);
    pthread_create(&c, NULL, client, NULL);
    pthread_join(t, NULL);
    pthread_join(c, NULL);
    assert(clock_read(&page, &s, &ns));
    assert(s == TICKS && ns == TICKS * 10);
    return 0;
}
