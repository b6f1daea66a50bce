#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *increase(void *arg) {
    pthread_mutex_lock(&lock);
    int before = counter;
    counter = before + 1;
    assert(counter == before + 1);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, increase, NULL);
    pthread_create(&two, NULL, increase, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(counter == 2);
    return 0;
}
