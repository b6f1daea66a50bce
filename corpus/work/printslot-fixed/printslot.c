/* Print spooler: a submitter hands documents to two printers through a
   one-document slot. */
#include <assert.h>
#include <pthread.h>

#define PRINTERS 2

struct document {
    int id;
    int pages;
};

struct slot {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int full;
    struct document doc;
};

static struct slot slot = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, { 0, 0 }
};
static int printed_pages[PRINTERS];

static void slot_put(struct slot *s, struct document doc)
{
    pthread_mutex_lock(&s->lock);
    while (s->full)
        pthread_cond_wait(&s->changed, &s->lock);
    s->doc = doc;
    s->full = 1;
    pthread_cond_signal(&s->changed);
    pthread_mutex_unlock(&s->lock);
}

static struct document slot_take(struct slot *s)
{
    pthread_mutex_lock(&s->lock);
    while (!s->full)
        pthread_cond_wait(&s->changed, &s->lock);
    struct document doc = s->doc;
    s->full = 0;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
    return doc;
}

static void *submitter(void *arg)
{
    (void)arg;
    for (int i = 0; i < PRINTERS; i++) {
        struct document doc = { i + 1, 10 };
        slot_put(&slot, doc);
    }
    return NULL;
}

static void *printer(void *arg)
{
    int *pages = arg;

    *pages += slot_take(&slot).pages;
    return NULL;
}

int main(void)
{
    pthread_t sub, pr[PRINTERS];

    pthread_create(&sub, NULL, submitter, NULL);
    for (int i = 0; i < PRINTERS; i++)
        pthread_create(&pr[i], NULL, printer, &printed_pages[i]);
    for (int i = 0; i < PRINTERS; i++)
        pthread_join(pr[i], NULL);
    pthread_join(sub, NULL);
    assert(printed_pages[0] + printed_pages[1] == 20);
    return 0;
}
