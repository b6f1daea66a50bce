#include <pthread.h>
#include <stdatomic.h>

enum { MAINS, WORKERS, STOPPED };
static atomic_int owner;
static int buffer;

static void *work(void *arg) {
    for (int now; (now = atomic_load(&owner)) != STOPPED;)
        if (now == WORKERS) {
            buffer *= 2;
            atomic_store(&owner, MAINS);
        }
    return arg;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, work, 0);
    buffer = 3;
    atomic_store(&owner, WORKERS);
    while (atomic_load(&owner) != MAINS)
        ;
    int seen = buffer;
    atomic_store(&owner, STOPPED);
    pthread_join(one, 0);
    return seen != 6;
}
