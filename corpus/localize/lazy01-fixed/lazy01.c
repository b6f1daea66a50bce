#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *add_one(void *arg) {
    pthread_mutex_lock(&lock);
    data++;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *add_two(void *arg) {
    pthread_mutex_lock(&lock);
    data += 2;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *look(void *arg) {
    pthread_mutex_lock(&lock);
    assert(data <= 3);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t one, two, three;
    pthread_create(&one, NULL, add_one, NULL);
    pthread_create(&two, NULL, add_two, NULL);
    pthread_create(&three, NULL, look, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    pthread_join(three, NULL);
    return 0;
}
