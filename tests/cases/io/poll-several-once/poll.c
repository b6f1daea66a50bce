#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int one[2], two[2];

static void *writer(void *arg) {
    int *ends = arg;
    write(ends[1], "x", 1);
    close(ends[1]);
    return arg;
}

int main(void) {
    pthread_t threads[2];
    pipe(one);
    pipe(two);
    pthread_create(&threads[0], NULL, writer, one);
    pthread_create(&threads[1], NULL, writer, two);
    struct pollfd wait[2] = {{one[0], POLLIN, 0}, {two[0], POLLIN, 0}};
    int open = 2, bytes = 0;
    assert(poll(wait, 2, -1) > 0);
    {
        for (int i = 0; i < 2; i++) {
            char byte;
            if (wait[i].revents == 0)
                continue;
            long n = read(wait[i].fd, &byte, 1);
            assert(n >= 0);
            bytes += n;
            if (n == 0) {
                wait[i].fd = -1;
                open--;
            }
        }
    }
    assert(bytes == 2);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
