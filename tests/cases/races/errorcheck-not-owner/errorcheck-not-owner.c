#define _GNU_SOURCE
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static int page;

static void *write_page(void *arg) {
    page = 4;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *read_page(void *arg) {
    pthread_mutex_lock(&lock);
    int seen = page;
    pthread_mutex_unlock(&lock);
    return seen ? arg : 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, write_page, 0);
    pthread_create(&two, 0, read_page, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
