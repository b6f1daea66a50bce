#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2], value;

static void *send(void *arg) {
    value = 5;
    return write(ends[1], "v", 1) == 1 ? arg : 0;
}

int main(void) {
    if (pipe(ends))
        return 1;
    pthread_t one;
    pthread_create(&one, 0, send, 0);
    struct pollfd end = {ends[0], POLLIN, 0};
    char byte;
    int seen = 0;
    if (poll(&end, 1, -1) == 1 && read(ends[0], &byte, 1) == 1)
        seen = value;
    pthread_join(one, 0);
    return seen != 5;
}
