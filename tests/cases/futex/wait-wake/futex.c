/* A raw futex through syscall(): main sleeps while the flag is 0.
 * The kernel's own test of the flag makes a wake-up in between harmless. */
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int flag;

static void *waker(void *arg) {
    (void)arg;
    atomic_store(&flag, 1);
    syscall(SYS_futex, &flag, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, waker, NULL);
    while (atomic_load(&flag) == 0)
        syscall(SYS_futex, &flag, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
    pthread_join(t, NULL);
    return 0;
}
