#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int made;
static int object;

static int get(void) {
    if (!atomic_load(&made)) {
        pthread_mutex_lock(&lock);
        if (!atomic_load(&made)) {
            atomic_store(&made, 1);
            object = 1;
        }
        pthread_mutex_unlock(&lock);
    }
    return object;
}

static void *use(void *arg) {
    return get() ? arg : 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, use, 0);
    pthread_create(&two, 0, use, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
