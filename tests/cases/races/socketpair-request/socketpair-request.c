#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2], record;

static void *serve(void *arg) {
    char byte;
    if (recv(ends[1], &byte, 1, 0) == 1) {
        record *= 2;
        if (send(ends[1], &byte, 1, 0) != 1)
            return 0;
    }
    return arg;
}

int main(void) {
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
        return 1;
    pthread_t one;
    pthread_create(&one, 0, serve, 0);
    record = 3;
    char byte = 'q';
    if (send(ends[0], &byte, 1, 0) != 1 || recv(ends[0], &byte, 1, 0) != 1)
        return 1;
    record++;
    pthread_join(one, 0);
    return record != 7;
}
