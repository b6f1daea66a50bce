#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t room;
static int owner;

static void *run(void *arg) {
    int me = (int)(long)arg;
    while (sem_trywait(&room) != 0) {
    }
    owner = me;
    assert(owner == me);
    sem_post(&room);
    return 0;
}

int main(void) {
    pthread_t a, b;
    sem_init(&room, 0, 2);
    pthread_create(&a, 0, run, (void *)0);
    pthread_create(&b, 0, run, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
