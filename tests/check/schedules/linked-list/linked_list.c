#include <assert.h>
#include <pthread.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

struct node { unsigned char key; struct node *next; };
static struct node tail = {255, 0}, head = {0, &tail}, fresh[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *insert(void *arg) {
    struct node *n = arg;
    struct node *before = &head;
    while (before->next->key < n->key)
        before = before->next;
    n->next = before->next;
    before->next = n;
    return 0;
}

int main(void) {
    pthread_t a, b;
    fresh[0].key = __VERIFIER_nondet_uchar() & 3;
    fresh[1].key = __VERIFIER_nondet_uchar() & 3;
    pthread_create(&a, 0, insert, &fresh[0]);
    pthread_create(&b, 0, insert, &fresh[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    int count = 0;
    for (struct node *n = head.next; n != &tail; n = n->next)
        count++;
    assert(count == 2);
    return 0;
}
