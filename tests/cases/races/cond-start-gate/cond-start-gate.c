#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static int open_now, input, outputs[2];

static void *work(void *arg) {
    pthread_mutex_lock(&lock);
    while (!open_now)
        pthread_cond_wait(&opened, &lock);
    pthread_mutex_unlock(&lock);
    *(int *)arg = input + 1;
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, work, &outputs[0]);
    pthread_create(&two, 0, work, &outputs[1]);
    input = 20;
    pthread_mutex_lock(&lock);
    open_now = 1;
    pthread_cond_broadcast(&opened);
    pthread_mutex_unlock(&lock);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return outputs[0] != outputs[1];
}
