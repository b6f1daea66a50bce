#include <pthread.h>

static pthread_spinlock_t lock;
static struct node { int value; } only, *first = &only;

static void *peek(void *arg) {
    pthread_spin_lock(&lock);
    struct node *node = first;
    pthread_spin_unlock(&lock);
    node->value = arg != 0;
    return arg;
}

int main(void) {
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_t one, two;
    pthread_create(&one, 0, peek, 0);
    pthread_create(&two, 0, peek, &one);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
