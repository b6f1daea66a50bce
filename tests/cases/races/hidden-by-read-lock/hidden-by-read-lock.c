#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int guarded, loose;

static void *first(void *arg) {
    loose = 1;
    pthread_rwlock_rdlock(&lock);
    int seen = guarded;
    pthread_rwlock_unlock(&lock);
    return seen ? arg : 0;
}

static void *writer(void *arg) {
    pthread_rwlock_wrlock(&lock);
    guarded = 1;
    pthread_rwlock_unlock(&lock);
    return arg;
}

static void *last(void *arg) {
    pthread_rwlock_rdlock(&lock);
    int seen = guarded;
    pthread_rwlock_unlock(&lock);
    loose = seen;
    return arg;
}

int main(void) {
    void *(*bodies[])(void *) = {first, writer, last};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, bodies[i], 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}
