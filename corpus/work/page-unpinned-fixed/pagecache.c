/* A small page cache: pages are looked up by key, pinned while in use,
 * and dropped by the evictor when nobody holds a pin. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NPAGES 2

struct page {
    int key;
    int pins;
    int valid;
    char data[16];
};

static struct page *slots[NPAGES];
static pthread_mutex_t cache_lock = PTHREAD_MUTEX_INITIALIZER;
static int evicted;

static struct page *page_new(int key)
{
    struct page *p = calloc(1, sizeof *p);
    assert(p);
    p->key = key;
    p->valid = 1;
    snprintf(p->data, sizeof p->data, "page-%d", key);
    return p;
}

static struct page *page_get(int key)
{
    struct page *found = NULL;

    pthread_mutex_lock(&cache_lock);
    for (int i = 0; i < NPAGES; i++) {
        if (slots[i] && slots[i]->key == key) {
            found = slots[i];
            break;
        }
    }
    if (found)
        found->pins++;
    pthread_mutex_unlock(&cache_lock);
    return found;
}

static void page_put(struct page *p)
{
    pthread_mutex_lock(&cache_lock);
    assert(p->pins > 0);
    p->pins--;
    pthread_mutex_unlock(&cache_lock);
}

static void cache_evict(void)
{
    pthread_mutex_lock(&cache_lock);
    for (int i = 0; i < NPAGES; i++) {
        struct page *p = slots[i];
        if (p && p->pins == 0) {
            slots[i] = NULL;
            p->valid = 0;
            free(p);
            evicted++;
        }
    }
    pthread_mutex_unlock(&cache_lock);
}

static void *reader(void *arg)
{
    int key = *(int *)arg;
    struct page *p = page_get(key);
    if (p) {
        assert(p->valid);
        assert(strncmp(p->data, "page-", 5) == 0);
        page_put(p);
    }
    return NULL;
}

static void *evictor(void *arg)
{
    (void)arg;
    cache_evict();
    return NULL;
}

int main(void)
{
    pthread_t r, e;
    int key = 7;

    slots[0] = page_new(7);
    slots[1] = page_new(8);
    pthread_create(&r, NULL, reader, &key);
    pthread_create(&e, NULL, evictor, NULL);
    pthread_join(r, NULL);
    pthread_join(e, NULL);
    cache_evict();
    assert(evicted == NPAGES);
    puts("ok");
    return 0;
}
