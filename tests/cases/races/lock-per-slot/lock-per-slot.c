#include <pthread.h>

static struct slot { pthread_mutex_t lock; int value; } table[2] = {
    {PTHREAD_MUTEX_INITIALIZER, 0}, {PTHREAD_MUTEX_INITIALIZER, 0}};

static void add(struct slot *slot) {
    pthread_mutex_lock(&slot->lock);
    slot->value++;
    pthread_mutex_unlock(&slot->lock);
}

static void *forward(void *arg) {
    add(&table[0]);
    add(&table[1]);
    return arg;
}

static void *backward(void *arg) {
    add(&table[1]);
    add(&table[0]);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, forward, 0);
    pthread_create(&two, 0, backward, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return table[0].value != 2;
}
