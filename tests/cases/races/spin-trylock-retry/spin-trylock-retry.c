#include <pthread.h>
#include <sched.h>

static pthread_spinlock_t lock;
static int ticks;

static void *tick(void *arg) {
    while (pthread_spin_trylock(&lock) != 0)
        sched_yield();
    ticks++;
    pthread_spin_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_t one;
    pthread_create(&one, 0, tick, 0);
    tick(0);
    pthread_join(one, 0);
    return ticks != 2;
}
