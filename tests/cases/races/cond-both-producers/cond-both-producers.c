#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static int available, parts[2];

static void *produce(void *arg) {
    *(int *)arg = 1;
    pthread_mutex_lock(&lock);
    available++;
    pthread_cond_signal(&more);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, produce, &parts[0]);
    pthread_create(&two, 0, produce, &parts[1]);
    pthread_mutex_lock(&lock);
    while (available < 2)
        pthread_cond_wait(&more, &lock);
    pthread_mutex_unlock(&lock);
    int sum = parts[0] + parts[1];
    parts[0] = 0;
    pthread_join(one, 0);
    pthread_join(two, 0);
    return sum != 2;
}
