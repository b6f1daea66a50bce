/* A driver is stopped while somebody begins to use it: between looking at the flag and being counted. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stopping, stopped, pending = 1, idle;

static void leave(void) {
    if (atomic_fetch_sub(&pending, 1) == 1)
        atomic_store(&idle, 1);
}

static int enter(void) {
    if (atomic_load(&stopping))
        return -1;
    atomic_fetch_add(&pending, 1);
    return 0;
}

static void *use(void *arg) {
    (void)arg;
    int status = enter();
    if (status == 0) {
        assert(!atomic_load(&stopped));
        leave();
    }
    return NULL;
}

static void *stop(void *arg) {
    (void)arg;
    atomic_store(&stopping, 1);
    leave();
    if (atomic_load(&idle))
        atomic_store(&stopped, 1);
    return NULL;
}

int main(void) {
    pthread_t user, stopper;
    pthread_create(&user, NULL, use, NULL);
    pthread_create(&stopper, NULL, stop, NULL);
    pthread_join(user, NULL);
    pthread_join(stopper, NULL);
    return 0;
}
