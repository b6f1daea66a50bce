#include <assert.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

int main(void) {
    int ends[2];
    pipe(ends);
    time_t begin = time(NULL);
    struct timeval left = {30, 0};
    fd_set set;
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    assert(select(ends[0] + 1, &set, NULL, NULL, &left) == 0);
    assert(!FD_ISSET(ends[0], &set));
    assert(left.tv_sec == 0 && left.tv_usec == 0);
    assert(time(NULL) - begin >= 30);
    return 0;
}
