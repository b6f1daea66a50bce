/* Every clock sees the hour that the program slept. */
#include <assert.h>
#include <pthread.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long long nanoseconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

int main(void) {
    const long long hour = 3600LL * 1000000000;
    struct timeval begin, end;
    time_t first = time(NULL);
    long long monotonic = nanoseconds(CLOCK_MONOTONIC), real = nanoseconds(CLOCK_REALTIME);
    gettimeofday(&begin, NULL);
    sleep(3600);
    gettimeofday(&end, NULL);
    assert(time(NULL) - first >= 3600);
    assert(end.tv_sec - begin.tv_sec >= 3600 && end.tv_sec - begin.tv_sec < 3602);
    assert(nanoseconds(CLOCK_MONOTONIC) - monotonic >= hour);
    assert(nanoseconds(CLOCK_REALTIME) - real >= hour);
    struct timespec now;
    assert(timespec_get(&now, TIME_UTC) == TIME_UTC && now.tv_sec - first >= 3600 && now.tv_sec - first < 3610);
    assert(clock() < CLOCKS_PER_SEC * 7200L);
    return 0;
}
