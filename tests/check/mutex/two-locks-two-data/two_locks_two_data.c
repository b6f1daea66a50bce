#include <assert.h>
#include <pthread.h>

struct account { pthread_mutex_t lock; int money; };
static struct account accounts[2] = {{PTHREAD_MUTEX_INITIALIZER, 5}, {PTHREAD_MUTEX_INITIALIZER, 5}};

static void transfer(struct account *from, struct account *to) {
    struct account *first = from < to ? from : to, *second = from < to ? to : from;
    pthread_mutex_lock(&first->lock);
    pthread_mutex_lock(&second->lock);
    from->money--;
    to->money++;
    pthread_mutex_unlock(&second->lock);
    pthread_mutex_unlock(&first->lock);
}

static void *forth(void *arg) {
    transfer(&accounts[0], &accounts[1]);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, forth, 0);
    transfer(&accounts[1], &accounts[0]);
    pthread_join(thread, 0);
    assert(accounts[0].money == 5 && accounts[1].money == 5);
    return 0;
}
