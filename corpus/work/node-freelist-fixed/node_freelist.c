/* A lock-free free list of preallocated nodes, linked by index; threads
 * allocate nodes and give them back. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define NNODES 3
#define NIL (-1)

struct node {
    atomic_int next;
    atomic_int in_use;
};

static struct node nodes[NNODES];
static _Atomic uint64_t free_head; /* change counter << 32 | index */

static uint64_t make_head(uint64_t old, int n)
{
    return ((old >> 32) + 1) << 32 | (uint32_t)n;
}

static void freelist_push(int n)
{
    uint64_t head = atomic_load(&free_head);
    do {
        atomic_store(&nodes[n].next, (int)(uint32_t)head);
    } while (!atomic_compare_exchange_strong(&free_head, &head, make_head(head, n)));
}

static int freelist_pop(void)
{
    int next;
    uint64_t head = atomic_load(&free_head);
    do {
        if ((int)(uint32_t)head == NIL)
            return NIL;
        next = atomic_load(&nodes[(uint32_t)head].next);
    } while (!atomic_compare_exchange_strong(&free_head, &head, make_head(head, next)));
    return (int)(uint32_t)head;
}

static int node_alloc(void)
{
    int n = freelist_pop();
    if (n != NIL) {
        int was_used = atomic_exchange(&nodes[n].in_use, 1);
        assert(!was_used);
    }
    return n;
}

static void node_free(int n)
{
    if (n == NIL)
        return;
    atomic_store(&nodes[n].in_use, 0);
    freelist_push(n);
}

static void *pair_user(void *arg)
{
    (void)arg;
    int first = node_alloc();
    int second = node_alloc();
    node_free(first);
    node_free(second);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    for (int i = 0; i < NNODES; i++)
        atomic_init(&nodes[i].next, i + 1 < NNODES ? i + 1 : NIL);
    atomic_init(&free_head, 0);

    pthread_create(&a, NULL, pair_user, NULL);
    pthread_create(&b, NULL, pair_user, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);

    int left = 0;
    while (node_alloc() != NIL)
        left++;
    assert(left == NNODES);
    return 0;
}
