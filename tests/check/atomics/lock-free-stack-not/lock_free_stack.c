#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node { struct node *next; };
static _Atomic(struct node *) head;
static struct node nodes[2];

static void *push(void *arg) {
    struct node *n = arg;
    n->next = atomic_load(&head);
    while (!atomic_compare_exchange_strong(&head, &n->next, n))
        ;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, push, &nodes[0]);
    push(&nodes[1]);
    pthread_join(thread, 0);
    int count = 0;
    for (struct node *n = atomic_load(&head); n && count < 3; n = n->next)
        count++;
    assert(count == 2);
    return 0;
}
