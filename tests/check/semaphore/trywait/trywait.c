#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t items;

static void *produce(void *arg) {
    sem_post(&items);
    return arg;
}

int main(void) {
    pthread_t thread;
    sem_init(&items, 0, 0);
    pthread_create(&thread, 0, produce, 0);
    int result = sem_trywait(&items);
    if (result != 0)
        assert(errno == EAGAIN);
    pthread_join(thread, 0);
    assert(result == 0);
    return 0;
}
