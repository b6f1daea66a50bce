/* The clock goes on while a thread sleeps, in virtual time.
 * A program that waits for time to pass does not wait for ever. */
#include <assert.h>
#include <time.h>
#include <unistd.h>

int main(void) {
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    sleep(3600);
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert(after.tv_sec - before.tv_sec >= 3600);
    return 0;
}
