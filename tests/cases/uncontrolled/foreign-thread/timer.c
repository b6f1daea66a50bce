/* A timer whose notification comes in a thread that libc makes for itself.
 * We do not control it: this must be said, never ignored. */
#include <signal.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

static void tick(union sigval value) {
    (void)value;
}

int main(void) {
    timer_t timer;
    struct sigevent event = {0};
    event.sigev_notify = SIGEV_THREAD;
    event.sigev_notify_function = tick;
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    return 0;
}
