#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int length, taken;

static void *push(void *arg) {
    pthread_mutex_lock(&lock);
    length++;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *pop(void *arg) {
    if (length == 0)
        return 0;
    pthread_mutex_lock(&lock);
    if (length > 0) {
        length--;
        taken++;
    }
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, push, 0);
    pthread_create(&two, 0, pop, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return taken > 1;
}
