#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int items;

/* One consumes all; each other produces one. */
static void *thread(void *arg) {
    if (arg == NULL) {
        for (int i = 1; i < N; i++) {
            pthread_mutex_lock(&m);
            while (items == 0)
                pthread_cond_wait(&c, &m);
            items--;
            pthread_mutex_unlock(&m);
        }
    } else {
        pthread_mutex_lock(&m);
        items++;
        pthread_cond_signal(&c);
        pthread_mutex_unlock(&m);
    }
    return arg;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, thread, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
