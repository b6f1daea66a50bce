/* An hour by the timer descriptor costs nothing, and the clock agrees with it. */
#include <assert.h>
#include <poll.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

int main(void) {
    time_t begin = time(NULL);
    int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
    struct itimerspec hour = {{0, 0}, {3600, 0}}, left;
    assert(timerfd_settime(timer, 0, &hour, NULL) == 0);
    assert(timerfd_gettime(timer, &left) == 0 && left.it_value.tv_sec <= 3600 && left.it_value.tv_sec > 3500);
    struct pollfd poll_for = {timer, POLLIN, 0};
    assert(poll(&poll_for, 1, 0) == 0);
    assert(poll(&poll_for, 1, -1) == 1);
    uint64_t expired = 0;
    assert(read(timer, &expired, sizeof expired) == sizeof expired && expired == 1);
    assert(time(NULL) - begin >= 3600);
    close(timer);
    return 0;
}
