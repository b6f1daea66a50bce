#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int version = 1;

static void *update(void *arg) {
    int got = pthread_rwlock_trywrlock(&lock) == 0;
    if (got) {
        version++;
        pthread_rwlock_unlock(&lock);
    }
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, update, 0);
    pthread_rwlock_rdlock(&lock);
    int first = version, second = version;
    assert(first == second);
    pthread_rwlock_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
