#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

static int value;

static void *add(void *arg) {
    sem_t *guard = sem_open("/unpick-race-guard", O_CREAT, 0600, 1);
    sem_wait(guard);
    value += 3;
    sem_post(guard);
    sem_close(guard);
    return arg;
}

int main(void) {
    sem_unlink("/unpick-race-guard");
    pthread_t one, two;
    pthread_create(&one, 0, add, 0);
    pthread_create(&two, 0, add, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    sem_unlink("/unpick-race-guard");
    return value != 6;
}
