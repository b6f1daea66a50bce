/* A mutex is made, used by two and destroyed when both are gone: no misuse.
 * Its memory is then used for another one. */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m;

static void *worker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    for (int i = 0; i < 2; i++) {
        pthread_t t;
        pthread_mutex_init(&m, NULL);
        pthread_create(&t, NULL, worker, NULL);
        worker(NULL);
        pthread_join(t, NULL);
        pthread_mutex_destroy(&m);
    }
    return 0;
}
