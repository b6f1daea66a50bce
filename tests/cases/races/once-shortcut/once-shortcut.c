#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int table;

static void fill(void) {
    table = 1;
}

static void *careful(void *arg) {
    pthread_once(&once, fill);
    return table ? arg : 0;
}

static void *hasty(void *arg) {
    if (table == 0)
        pthread_once(&once, fill);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, careful, 0);
    pthread_create(&two, 0, hasty, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
