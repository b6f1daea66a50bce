/* Download manager: segment fetchers draw fixed-size chunks from a shared
   bandwidth budget and stop once it does not cover another chunk. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define FETCHERS 3
#define CHUNK_KB 64

struct budget {
    pthread_mutex_t lock;
    int left_kb;
};

struct fetcher {
    struct budget *budget;
    int fetched_kb;
};

static int budget_left(struct budget *b)
{
    pthread_mutex_lock(&b->lock);
    int left = b->left_kb;
    pthread_mutex_unlock(&b->lock);
    return left;
}

static void budget_take(struct budget *b, int kb)
{
    pthread_mutex_lock(&b->lock);
    b->left_kb -= kb;
    pthread_mutex_unlock(&b->lock);
}

static int claim_segment(struct fetcher *f)
{
    if (budget_left(f->budget) < CHUNK_KB)
        return 0;
    budget_take(f->budget, CHUNK_KB);
    return 1;
}

static void *fetch_loop(void *arg)
{
    struct fetcher *f = arg;

    for (int round = 0; round < 2; round++) {
        if (!claim_segment(f))
            break;
        f->fetched_kb += CHUNK_KB;
    }
    return NULL;
}

int main(void)
{
    struct budget budget = { PTHREAD_MUTEX_INITIALIZER, 3 * CHUNK_KB + 10 };
    struct fetcher fetchers[FETCHERS];
    pthread_t tid[FETCHERS];
    int total = 0;

    for (int i = 0; i < FETCHERS; i++) {
        fetchers[i].budget = &budget;
        fetchers[i].fetched_kb = 0;
        pthread_create(&tid[i], NULL, fetch_loop, &fetchers[i]);
    }
    for (int i = 0; i < FETCHERS; i++) {
        pthread_join(tid[i], NULL);
        total += fetchers[i].fetched_kb;
    }
    printf("fetched %d KB, %d KB left\n", total, budget.left_kb);
    assert(budget.left_kb >= 0);
    return 0;
}
