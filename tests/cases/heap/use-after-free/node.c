/* A reader takes the pointer under the lock and follows it behind; meanwhile the owner frees the block. */
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

struct node {
    int key, value;
    long more;
};

static struct node *current;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int seen;

static int value_of(struct node *node) { return node->value; }

static void *reader(void *unused) {
    pthread_mutex_lock(&lock);
    struct node *node = current;
    pthread_mutex_unlock(&lock);
    if (node)
        seen = value_of(node);
    return unused;
}

static void drop(void) {
    free(current);
    current = NULL;
}

int main(void) {
    pthread_t t;
    current = malloc(sizeof *current);
    current->value = 3;
    pthread_create(&t, NULL, reader, NULL);
    pthread_mutex_lock(&lock);
    drop();
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
