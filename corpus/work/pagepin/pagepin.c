/* Buffer pool of a small database: two scanners share one pinned page,
   and whoever drops the last pin evicts it. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define PAGE_BYTES 16
#define SCANNERS 2

struct page {
    int page_no;
    int pins;
    unsigned char *data;
};

struct pool {
    pthread_mutex_t latch;
    struct page *resident;
};

static struct pool pool = { PTHREAD_MUTEX_INITIALIZER, NULL };

static struct page *page_load(int page_no, int pins)
{
    struct page *p = malloc(sizeof *p);
    p->page_no = page_no;
    p->pins = pins;
    p->data = malloc(PAGE_BYTES);
    memset(p->data, 1, PAGE_BYTES);
    return p;
}

static void page_evict(struct page *p)
{
    free(p->data);
    free(p);
}

static void page_unpin(struct pool *bp, struct page *p)
{
    pthread_mutex_lock(&bp->latch);
    p->pins--;
    pthread_mutex_unlock(&bp->latch);

    if (p->pins == 0)
        page_evict(p);
}

static void *scanner(void *arg)
{
    struct pool *bp = arg;
    struct page *p = bp->resident;
    unsigned first_and_last = p->data[0] + p->data[PAGE_BYTES - 1];

    assert(first_and_last == 2);
    page_unpin(bp, p);
    return NULL;
}

int main(void)
{
    pthread_t tid[SCANNERS];

    pool.resident = page_load(7, SCANNERS);
    for (int i = 0; i < SCANNERS; i++)
        pthread_create(&tid[i], NULL, scanner, &pool);
    for (int i = 0; i < SCANNERS; i++)
        pthread_join(tid[i], NULL);
    pool.resident = NULL;
    return 0;
}
