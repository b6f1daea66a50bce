#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node { struct node *next; int value; } head, extra;

static void *insert(void *arg) {
    pthread_mutex_lock(&lock);
    head.next = &extra;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *walk(void *arg) {
    pthread_mutex_lock(&lock);
    int value = head.value;
    pthread_mutex_unlock(&lock);
    for (struct node *at = head.next; at; at = 0)
        value += at->value;
    return value ? arg : 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, insert, 0);
    pthread_create(&two, 0, walk, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
