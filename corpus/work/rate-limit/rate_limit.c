/* A token bucket: senders take tokens before sending, a timer refills. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct bucket {
    atomic_int tokens;
};

struct sender {
    struct bucket *bucket;
    int want;
    int taken;
};

static int bucket_take(struct bucket *b, int n)
{
    int have = atomic_load(&b->tokens);
    int left = have - n;

    if (have < n)
        return 0;
    while (!atomic_compare_exchange_strong(&b->tokens, &have, left)) {
        if (have < n)
            return 0;
    }
    return 1;
}

static void bucket_refill(struct bucket *b, int n)
{
    atomic_fetch_add(&b->tokens, n);
}

static void *sender_main(void *arg)
{
    struct sender *s = arg;
    if (bucket_take(s->bucket, s->want))
        s->taken = s->want;
    return NULL;
}

static void *refill_timer(void *arg)
{
    bucket_refill(arg, 5);
    return NULL;
}

int main(void)
{
    struct bucket bucket;
    struct sender a = { &bucket, 3, 0 }, b = { &bucket, 4, 0 };
    pthread_t ta, tb, timer;

    atomic_init(&bucket.tokens, 10);
    pthread_create(&ta, NULL, sender_main, &a);
    pthread_create(&tb, NULL, sender_main, &b);
    pthread_create(&timer, NULL, refill_timer, &bucket);
    pthread_join(ta, NULL);
    pthread_join(tb, NULL);
    pthread_join(timer, NULL);

    assert(atomic_load(&bucket.tokens) + a.taken + b.taken == 15);
    return 0;
}
