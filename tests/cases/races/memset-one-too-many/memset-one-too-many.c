#include <pthread.h>
#include <string.h>

static char row[9];

static void *clear(void *arg) {
    memset(row, 0, 5);
    return arg;
}

static void *use(void *arg) {
    row[3 + 1] = 'x';
    row[5] = 'y';
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, clear, 0);
    pthread_create(&two, 0, use, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
