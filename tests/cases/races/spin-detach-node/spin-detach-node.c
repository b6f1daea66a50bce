#include <pthread.h>

static pthread_spinlock_t lock;
static struct node { struct node *next; int value; } pool[2], *first;

static void *take(void *arg) {
    pthread_spin_lock(&lock);
    struct node *mine = first;
    if (mine)
        first = mine->next;
    pthread_spin_unlock(&lock);
    if (mine)
        mine->value = 1;
    return arg;
}

int main(void) {
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pool[0].next = &pool[1];
    first = &pool[0];
    pthread_t one, two;
    pthread_create(&one, 0, take, 0);
    pthread_create(&two, 0, take, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return pool[0].value + pool[1].value != 2;
}
