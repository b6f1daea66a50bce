#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x1 = 1, x2 = 2, x3 = 1;

static void *first(void *arg) {
    pthread_mutex_lock(&lock);
    x1 = (x3 + 1) % 4;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *second(void *arg) {
    pthread_mutex_lock(&lock);
    x2 = x1;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *third(void *arg) {
    pthread_mutex_lock(&lock);
    x3 = x2;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *property(void *arg) {
    pthread_mutex_lock(&lock);
    assert(x1 >= 1 && x1 <= 3 && x2 >= 1 && x2 <= 3 && x3 >= 1 && x3 <= 3);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t threads[4];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_create(&threads[2], NULL, third, NULL);
    pthread_create(&threads[3], NULL, property, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
