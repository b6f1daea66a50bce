/* A raw futex whose word never changes: the wake-up is lost where it comes first.
 * Then main sleeps for ever: a deadlock. */
#include <linux/futex.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static int word;

static void *waker(void *arg) {
    (void)arg;
    syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, waker, NULL);
    syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0);
    pthread_join(t, NULL);
    return 0;
}
