/* A round that has nothing to do begins the next one with the lock in hand. */
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int work, done;

static void *serve(void *arg) {
    for (int round = 0; round < 2; round++) {
        pthread_rwlock_wrlock(&l);
        if (work == 0) {
            continue;
        }
        work--;
        done++;
        pthread_rwlock_unlock(&l);
    }
    return arg;
}

static void *send(void *arg) {
    pthread_rwlock_wrlock(&l);
    work++;
    pthread_rwlock_unlock(&l);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, serve, NULL);
    pthread_create(&two, NULL, send, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
