/* A block is freed while somebody may still use it. */
#include <pthread.h>
#include <stdlib.h>
struct node { int value; pthread_mutex_t lock; } *node;
void *reader(void *arg) {
    int seen = node->value;
    pthread_mutex_lock(&node->lock);
    node->value = seen + 1;
    pthread_mutex_unlock(&node->lock);
    return arg;
}
int main(void) {
    pthread_t a;
    node = malloc(sizeof *node);
    node->value = 1;
    pthread_mutex_init(&node->lock, 0);
    pthread_create(&a, 0, reader, 0);
    free(node);
    pthread_join(a, 0);
    return 0;
}
