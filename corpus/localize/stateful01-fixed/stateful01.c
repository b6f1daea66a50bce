#include <assert.h>
#include <pthread.h>

static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second_lock = PTHREAD_MUTEX_INITIALIZER;
static int first = 10, second = 10;

static void *up(void *arg) {
    pthread_mutex_lock(&first_lock);
    first++;
    pthread_mutex_unlock(&first_lock);
    pthread_mutex_lock(&second_lock);
    second++;
    pthread_mutex_unlock(&second_lock);
    return arg;
}

static void *apart(void *arg) {
    pthread_mutex_lock(&first_lock);
    first += 5;
    pthread_mutex_unlock(&first_lock);
    pthread_mutex_lock(&second_lock);
    second -= 6;
    pthread_mutex_unlock(&second_lock);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, up, NULL);
    pthread_create(&two, NULL, apart, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(first == 16 && second == 5);
    return 0;
}
