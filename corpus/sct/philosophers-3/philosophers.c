/* SEATS philosophers, each of whom takes the left fork first: a deadlock only if all have one. */
#include <pthread.h>

#ifndef SEATS
#define SEATS 3
#endif

static pthread_mutex_t forks[SEATS];

static void *eat(void *arg) {
    long seat = (long)arg;
    pthread_mutex_lock(&forks[seat]);
    pthread_mutex_lock(&forks[(seat + 1) % SEATS]);
    pthread_mutex_unlock(&forks[(seat + 1) % SEATS]);
    pthread_mutex_unlock(&forks[seat]);
    return NULL;
}

int main(void) {
    pthread_t philosophers[SEATS];
    for (long i = 0; i < SEATS; i++)
        pthread_mutex_init(&forks[i], NULL);
    for (long i = 0; i < SEATS; i++)
        pthread_create(&philosophers[i], NULL, eat, (void *)i);
    for (int i = 0; i < SEATS; i++)
        pthread_join(philosophers[i], NULL);
    return 0;
}
