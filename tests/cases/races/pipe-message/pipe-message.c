#include <pthread.h>
#include <unistd.h>

static int ends[2], message;

static void *send(void *arg) {
    message = 1;
    if (write(ends[1], "x", 1) != 1)
        return 0;
    return arg;
}

int main(void) {
    if (pipe(ends))
        return 1;
    pthread_t one;
    pthread_create(&one, 0, send, 0);
    char byte;
    if (read(ends[0], &byte, 1) != 1)
        return 1;
    message++;
    pthread_join(one, 0);
    return message != 2;
}
