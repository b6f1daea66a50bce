#include <pthread.h>
#include <unistd.h>

static int cleaned;

static void clean(void *arg) {
    cleaned = 1;
    (void)arg;
}

static void *sleep_on(void *arg) {
    pthread_cleanup_push(clean, 0);
    for (;;)
        pause();
    pthread_cleanup_pop(0);
    return arg;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, sleep_on, 0);
    pthread_cancel(one);
    pthread_join(one, 0);
    int seen = cleaned;
    cleaned = 2;
    return seen > 1;
}
