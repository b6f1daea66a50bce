#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int owner;

static void *run(void *arg) {
    int me = (int)(long)arg;
    while (pthread_rwlock_trywrlock(&lock) != 0) {
    }
    owner = me;
    assert(owner == me);
    pthread_rwlock_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, run, (void *)0);
    pthread_create(&b, 0, run, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
