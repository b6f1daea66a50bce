/* Packet capture: a lock-free pool of packet buffers, kept as a stack of
   buffer indices, from which capture threads get and return buffers. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define BUFFERS 3
#define NONE (-1)
#define INDEX(tagged) ((int)((tagged) % 256) - 1)
#define TAGGED(old, index) (((old) / 256 + 1) * 256 + (index) + 1)

struct pool {
    atomic_long head; /* change counter * 256 + index + 1 */
    atomic_int next[BUFFERS];
    atomic_int in_use[BUFFERS];
};

static struct pool pool = { 1, { 1, 2, NONE }, { 0 } };

static int pool_get(struct pool *p)
{
    int first, second;
    long head;

    do {
        head = atomic_load(&p->head);
        first = INDEX(head);
        if (first == NONE)
            return NONE;
        second = atomic_load(&p->next[first]);
    } while (!atomic_compare_exchange_strong(&p->head, &head, TAGGED(head, second)));

    int was_used = atomic_exchange(&p->in_use[first], 1);
    assert(!was_used);
    return first;
}

static void pool_put(struct pool *p, int buf)
{
    long head;

    atomic_store(&p->in_use[buf], 0);
    do {
        head = atomic_load(&p->head);
        atomic_store(&p->next[buf], INDEX(head));
    } while (!atomic_compare_exchange_strong(&p->head, &head, TAGGED(head, buf)));
}

static void *capture_fragments(void *arg)
{
    struct pool *p = arg;
    int header = pool_get(p);
    int payload = pool_get(p);

    if (header != NONE)
        pool_put(p, header);
    if (payload != NONE)
        pool_put(p, payload);
    return NULL;
}

int main(void)
{
    pthread_t tid[2];
    int left = 0;

    for (int i = 0; i < 2; i++)
        pthread_create(&tid[i], NULL, capture_fragments, &pool);
    for (int i = 0; i < 2; i++)
        pthread_join(tid[i], NULL);

    for (int b = INDEX(atomic_load(&pool.head)); b != NONE; b = atomic_load(&pool.next[b]))
        if (++left > BUFFERS)
            break;
    assert(left == BUFFERS);
    return 0;
}
