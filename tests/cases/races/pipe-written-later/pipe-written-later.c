#include <pthread.h>
#include <unistd.h>

static int ends[2], message;

static void *send(void *arg) {
    ssize_t n = write(ends[1], "x", 1);
    message = (int)n;
    return arg;
}

static void *receive(void *arg) {
    char byte;
    if (read(ends[0], &byte, 1) == 1)
        return message ? arg : 0;
    return 0;
}

int main(void) {
    if (pipe(ends))
        return 1;
    pthread_t one, two;
    pthread_create(&one, 0, send, 0);
    pthread_create(&two, 0, receive, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
