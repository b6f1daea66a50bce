#include <pthread.h>

static int resource;

static void give_back(void *arg) {
    resource = 0;
    (void)arg;
}

static void *use(void *arg) {
    pthread_cleanup_push(give_back, 0);
    pthread_testcancel();
    pthread_cleanup_pop(1);
    return arg;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, use, 0);
    pthread_cancel(one);
    resource = 1;
    pthread_join(one, 0);
    return 0;
}
