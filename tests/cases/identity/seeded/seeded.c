#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static int shared;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
    pthread_mutex_lock(&mutex);
    if (rand() % 2)
        shared++;
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void) {
    pthread_t thread;
    srand(time(0) ^ getpid());
    pthread_create(&thread, NULL, worker, NULL);
    worker(NULL);
    pthread_join(thread, NULL);
    return shared > 2;
}
