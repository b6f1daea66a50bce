/* A hand-made lock that does not lock: it is tested and set in two steps.
 * Fails where both find it free; the annotation changes nothing about it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unpick.h>

static atomic_int lock;
static int x, y;

static void use(void) {
    if (lock)
        return;
    lock = 1;
    UNPICK_LOCK_ACQUIRED(&lock);
    x++;
    y++;
    R_assert(x == y);
    UNPICK_LOCK_RELEASED(&lock);
    lock = 0;
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
