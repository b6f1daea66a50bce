/* A hotel with one room: guests wait for it at a semaphore, which lets in one too many. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t vacancies;
static pthread_mutex_t desk = PTHREAD_MUTEX_INITIALIZER;
static int guests;

static void *stay(void *arg) {
    sem_wait(&vacancies);
    pthread_mutex_lock(&desk);
    guests++;
    assert(guests <= 1);
    pthread_mutex_unlock(&desk);
    pthread_mutex_lock(&desk);
    guests--;
    pthread_mutex_unlock(&desk);
    sem_post(&vacancies);
    return arg;
}

int main(void) {
    pthread_t one, two;
    sem_init(&vacancies, 0, 2);
    pthread_create(&one, NULL, stay, NULL);
    pthread_create(&two, NULL, stay, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
