#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <unistd.h>

int main(void) {
    int ends[2];
    pipe(ends);
    fd_set set;
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    close(ends[0]);
    assert(select(ends[0] + 1, &set, NULL, NULL, NULL) == -1 && errno == EBADF);
    return 0;
}
