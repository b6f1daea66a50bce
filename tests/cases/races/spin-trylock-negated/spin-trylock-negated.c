#include <pthread.h>

static pthread_spinlock_t lock;
static int total;

static void *add(void *arg) {
    pthread_spin_lock(&lock);
    total += 2;
    pthread_spin_unlock(&lock);
    return arg;
}

static void *reset(void *arg) {
    if (pthread_spin_trylock(&lock))
        total = 0;
    else
        pthread_spin_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_t one, two;
    pthread_create(&one, 0, add, 0);
    pthread_create(&two, 0, reset, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
