#include <pthread.h>

static struct node { pthread_mutex_t lock; struct node *next; int marks; } nodes[2];

static void *walk(void *arg) {
    struct node *at = &nodes[0];
    pthread_mutex_lock(&at->lock);
    for (;;) {
        at->marks++;
        struct node *next = at->next;
        if (next)
            pthread_mutex_lock(&next->lock);
        pthread_mutex_unlock(&at->lock);
        if (!next)
            return arg;
        at = next;
    }
}

int main(void) {
    pthread_mutex_init(&nodes[0].lock, 0);
    pthread_mutex_init(&nodes[1].lock, 0);
    nodes[0].next = &nodes[1];
    pthread_t one, two;
    pthread_create(&one, 0, walk, 0);
    pthread_create(&two, 0, walk, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return nodes[1].marks != 2;
}
