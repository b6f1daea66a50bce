#include <pthread.h>

static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER, hall = PTHREAD_MUTEX_INITIALIZER;
static int visits, letter, seen;

static void *sender(void *arg) {
    letter = 3;
    pthread_mutex_lock(&door);
    visits++;
    pthread_mutex_unlock(&door);
    return arg;
}

static void *between(void *arg) {
    pthread_mutex_lock(&door);
    visits++;
    pthread_mutex_unlock(&door);
    pthread_mutex_lock(&hall);
    seen++;
    pthread_mutex_unlock(&hall);
    return arg;
}

static void *receiver(void *arg) {
    pthread_mutex_lock(&hall);
    seen++;
    pthread_mutex_unlock(&hall);
    return letter ? arg : 0;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], 0, sender, 0);
    pthread_create(&threads[1], 0, between, 0);
    pthread_create(&threads[2], 0, receiver, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}
