/* The poster leaves without posting where main has said stop.
 * Deadlocks where it sees that before it posts. */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t s;
static int stop;

static void *poster(void *arg) {
    (void)arg;
    if (!stop)
        sem_post(&s);
    return NULL;
}

int main(void) {
    pthread_t t;
    sem_init(&s, 0, 0);
    pthread_create(&t, NULL, poster, NULL);
    stop = 1;
    sem_wait(&s);
    pthread_join(t, NULL);
    return 0;
}
