#include <pthread.h>

static void *bump(void *arg) {
    ++*(int *)arg;
    return arg;
}

static int lend(int start) {
    int local = start;
    pthread_t thread;
    pthread_create(&thread, 0, bump, &local);
    pthread_join(thread, 0);
    return local;
}

int main(void) {
    return lend(1) + lend(2) != 5;
}
