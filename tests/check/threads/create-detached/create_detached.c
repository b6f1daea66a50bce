#include <pthread.h>
#include <assert.h>
#include <semaphore.h>

static sem_t done;
static int value;

static void *work(void *arg) {
    value = 5;
    sem_post(&done);
    return arg;
}

int main(void) {
    pthread_attr_t attributes;
    pthread_t thread;
    sem_init(&done, 0, 0);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_create(&thread, &attributes, work, 0);
    pthread_attr_destroy(&attributes);
    sem_wait(&done);
    assert(value == 5);
    return 0;
}
