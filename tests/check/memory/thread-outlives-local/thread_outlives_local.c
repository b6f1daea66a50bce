#include <pthread.h>

int seen;
pthread_t thread;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *look(void *number) {
    seen = *(int *)number;
    return 0;
}

void begin(void) {
    int number = 3;
    pthread_create(&thread, 0, look, &number);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
}

int main(void) {
    begin();
    pthread_join(thread, 0);
    return seen == 5;
}
