#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int full, buffer[2];

static void *producer(void *arg) {
    buffer[0] = 1;
    buffer[1] = 2;
    pthread_mutex_lock(&lock);
    full = 1;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, producer, 0);
    pthread_mutex_lock(&lock);
    while (!full)
        pthread_cond_wait(&filled, &lock);
    pthread_mutex_unlock(&lock);
    buffer[0] += buffer[1];
    pthread_join(thread, 0);
    return buffer[0] != 3;
}
