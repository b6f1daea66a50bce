/* Two phases, each with its lock; who finds the second phase begun keeps its lock. */
#include <pthread.h>

static pthread_mutex_t x = PTHREAD_MUTEX_INITIALIZER, y = PTHREAD_MUTEX_INITIALIZER;
static int begun;

static void *work(void *arg) {
    (void)arg;
    pthread_mutex_lock(&x);
    pthread_mutex_unlock(&x);
    pthread_mutex_lock(&y);
    int first = !begun;
    begun = 1;
    if (first)
        pthread_mutex_unlock(&y);
    pthread_mutex_lock(&x);
    begun = 0;
    pthread_mutex_unlock(&x);
    if (!first)
        pthread_mutex_unlock(&y);
    return NULL;
}

static void *look(void *arg) {
    (void)arg;
    pthread_mutex_lock(&x);
    if (begun) {
        pthread_mutex_lock(&y);
        pthread_mutex_unlock(&y);
    }
    pthread_mutex_unlock(&x);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, work, NULL);
    pthread_create(&threads[1], NULL, work, NULL);
    pthread_create(&threads[2], NULL, look, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
