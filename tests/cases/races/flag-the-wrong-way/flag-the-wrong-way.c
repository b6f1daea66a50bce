#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int in_use, buffer;

static void *owner(void *arg) {
    pthread_mutex_lock(&lock);
    in_use = 1;
    pthread_mutex_unlock(&lock);
    buffer = 1;
    return arg;
}

static void *guest(void *arg) {
    pthread_mutex_lock(&lock);
    int taken = in_use;
    pthread_mutex_unlock(&lock);
    if (!taken)
        buffer = 2;
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, owner, 0);
    pthread_create(&two, 0, guest, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
