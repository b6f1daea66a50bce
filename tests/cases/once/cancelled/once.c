/* A routine that is cancelled counts as not run: the next caller runs it again. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static sem_t s;
static int tries, made;

static void make(void) {
    tries++;
    sem_wait(&s);
    made++;
}

static void *worker(void *arg) {
    pthread_once(&once, make);
    return arg;
}

int main(void) {
    pthread_t t;
    void *value;
    sem_init(&s, 0, 0);
    pthread_create(&t, NULL, worker, NULL);
    pthread_cancel(t);
    pthread_join(t, &value);
    assert(value == PTHREAD_CANCELED);
    sem_post(&s);
    pthread_once(&once, make);
    assert(made == 1 && tries == 1 + (value == PTHREAD_CANCELED));
    return 0;
}
