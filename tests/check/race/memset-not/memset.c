#include <pthread.h>
#include <string.h>

static char area[8];

static void *work(void *arg) {
    area[5] = 1;
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    memset(area, 0, sizeof area / 2);
    pthread_join(thread, 0);
    return 0;
}
