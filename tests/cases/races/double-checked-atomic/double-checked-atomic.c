#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct single { int value; } object;
static _Atomic(struct single *) instance;

static struct single *get(void) {
    struct single *mine = atomic_load_explicit(&instance, memory_order_acquire);
    if (!mine) {
        pthread_mutex_lock(&lock);
        mine = atomic_load_explicit(&instance, memory_order_relaxed);
        if (!mine) {
            object.value = 1;
            mine = &object;
            atomic_store_explicit(&instance, mine, memory_order_release);
        }
        pthread_mutex_unlock(&lock);
    }
    return mine;
}

static void *use(void *arg) {
    return get()->value ? arg : 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, use, 0);
    pthread_create(&two, 0, use, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
