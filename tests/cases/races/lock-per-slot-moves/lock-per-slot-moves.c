#include <pthread.h>

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int cells[2];

static void *shift(void *arg) {
    pthread_mutex_lock(&locks[0]);
    cells[1] = cells[0];
    pthread_mutex_unlock(&locks[0]);
    return arg;
}

static void *bump(void *arg) {
    int at = 1;
    pthread_mutex_lock(&locks[at]);
    cells[at] += 5;
    pthread_mutex_unlock(&locks[at]);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, shift, 0);
    pthread_create(&two, 0, bump, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
