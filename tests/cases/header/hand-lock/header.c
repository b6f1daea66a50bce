/* A hand-made lock, annotated: who finds it taken goes away.
 * Main is the second thread. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unpick.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;
static int x, y;

static void use(void) {
    if (atomic_flag_test_and_set(&lock))
        return;
    UNPICK_LOCK_ACQUIRED(&lock);
    x++;
    y++;
    R_assert(x == y);
    UNPICK_LOCK_RELEASED(&lock);
    atomic_flag_clear(&lock);
}

static void *worker(void *arg) {
    (void)arg;
    use();
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    use();
    pthread_join(t, NULL);
    return 0;
}
