#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

static int value;

static void *add(void *arg) {
    const char *name = arg;
    sem_t *guard = sem_open(name, O_CREAT, 0600, 1);
    sem_wait(guard);
    value++;
    sem_post(guard);
    sem_close(guard);
    sem_unlink(name);
    return arg;
}

int main(void) {
    static char left[] = "/unpick-race-left", right[] = "/unpick-race-right";
    pthread_t one, two;
    pthread_create(&one, 0, add, left);
    pthread_create(&two, 0, add, right);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
