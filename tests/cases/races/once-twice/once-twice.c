#include <pthread.h>

static pthread_once_t network = PTHREAD_ONCE_INIT, files = PTHREAD_ONCE_INIT;
static int initialised;

static void init(void) {
    initialised++;
}

static void *use_network(void *arg) {
    pthread_once(&network, init);
    return arg;
}

static void *use_files(void *arg) {
    pthread_once(&files, init);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, use_network, 0);
    pthread_create(&two, 0, use_files, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
