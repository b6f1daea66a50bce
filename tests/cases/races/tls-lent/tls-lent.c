#include <pthread.h>
#include <semaphore.h>

static __thread int mailbox;
static int *address;
static sem_t published, written;

static void *owner(void *arg) {
    address = &mailbox;
    sem_post(&published);
    int seen = mailbox;
    sem_wait(&written);
    return seen ? arg : 0;
}

int main(void) {
    sem_init(&published, 0, 0);
    sem_init(&written, 0, 0);
    pthread_t one;
    pthread_create(&one, 0, owner, 0);
    sem_wait(&published);
    *address = 1;
    sem_post(&written);
    pthread_join(one, 0);
    return 0;
}
