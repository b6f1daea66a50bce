#include <pthread.h>

static void *fill(void *arg) {
    *(int *)arg = 4;
    return arg;
}

static int collect(int seen) {
    int slot = 0;
    pthread_t thread;
    pthread_create(&thread, 0, fill, &slot);
    if (seen == 0)
        seen = slot;
    pthread_join(thread, 0);
    return seen + slot;
}

int main(void) {
    return collect(0) > 8;
}
