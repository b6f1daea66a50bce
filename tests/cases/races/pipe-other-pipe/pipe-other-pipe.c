#include <pthread.h>
#include <unistd.h>

static int a[2], b[2], value;

static void *writer(void *arg) {
    value = 1;
    return write(a[1], "a", 1) == 1 ? arg : 0;
}

static void *ticker(void *arg) {
    char byte;
    if (write(b[1], "b", 1) != 1 || read(a[0], &byte, 1) != 1)
        return 0;
    return arg;
}

int main(void) {
    if (pipe(a) || pipe(b))
        return 1;
    pthread_t one, two;
    pthread_create(&one, 0, writer, 0);
    pthread_create(&two, 0, ticker, 0);
    char byte;
    int seen = 0;
    if (read(b[0], &byte, 1) == 1)
        seen = value;
    pthread_join(one, 0);
    pthread_join(two, 0);
    return seen > 1;
}
