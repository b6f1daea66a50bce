#include <pthread.h>

static pthread_mutex_t in = PTHREAD_MUTEX_INITIALIZER, out = PTHREAD_MUTEX_INITIALIZER;
static int queued;

static void *enqueue(void *arg) {
    pthread_mutex_lock(&in);
    queued++;
    pthread_mutex_unlock(&in);
    return arg;
}

static void *dequeue(void *arg) {
    pthread_mutex_lock(&out);
    queued--;
    pthread_mutex_unlock(&out);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, enqueue, 0);
    pthread_create(&two, 0, dequeue, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
