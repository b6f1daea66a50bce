#include <pthread.h>

int sum;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *thread(void *arg) {
    pthread_mutex_lock(&m);
    sum = sum + 1;
    pthread_mutex_unlock(&m);
    return 0;
}

int main() {
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    pthread_join(t, 0);
    int seen = sum;
    return seen > 1;
}
