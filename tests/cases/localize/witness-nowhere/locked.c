#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int hits;

static void *visit(void *arg) {
    pthread_mutex_lock(&lock);
    hits++;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, visit, NULL);
    pthread_create(&two, NULL, visit, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(hits == 2);
    return 0;
}
