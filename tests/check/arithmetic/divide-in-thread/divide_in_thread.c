#include <pthread.h>

static int parts = 2;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *change(void *arg) {
    parts = 0;
    parts = 4;
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, change, 0);
    pthread_mutex_lock(&lock);
    int share = 100 / parts;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return share == 1;
}
