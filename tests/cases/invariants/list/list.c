/* A queue of nodes from the heap: what holds for its head, the node there, and the one behind that. */
#include <pthread.h>
#include <stdlib.h>

struct node {
    int key;
    struct node *next;
};

static struct node *head;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void push(int key) {
    struct node *node = malloc(sizeof *node);
    pthread_mutex_lock(&m);
    node->key = key + (head ? head->key : 0);
    node->next = head;
    head = node;
    pthread_mutex_unlock(&m);
}

static void *worker(void *arg) {
    for (int i = 0; i < 3; i++)
        push(2);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    int nodes = 0;
    for (struct node *node = head; node; node = node->next)
        nodes++;
    return nodes != 6 || head->key != 12;
}
