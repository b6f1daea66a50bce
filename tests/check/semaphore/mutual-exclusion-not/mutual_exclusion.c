#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t room;
static int inside;

static void *work(void *arg) {
    sem_wait(&room);
    inside++;
    assert(inside == 1);
    inside--;
    sem_post(&room);
    return arg;
}

int main(void) {
    pthread_t a, b;
    sem_init(&room, 0, 1);
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    int value;
    sem_getvalue(&room, &value);
    assert(value == 1);
    return 0;
}
