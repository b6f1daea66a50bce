#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items;

static void *consume(void *arg) {
    pthread_mutex_lock(&lock);
    if (items == 0)
        pthread_cond_wait(&filled, &lock);
    items--;
    assert(items >= 0);
    pthread_mutex_unlock(&lock);
    return arg;
}

static void produce(void) {
    pthread_mutex_lock(&lock);
    items++;
    pthread_cond_broadcast(&filled);
    pthread_mutex_unlock(&lock);
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, consume, 0);
    pthread_create(&b, 0, consume, 0);
    produce();
    produce();
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
