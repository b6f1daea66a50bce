#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t tick = PTHREAD_COND_INITIALIZER;
static int stop;

static void *run(void *arg) {
    pthread_mutex_lock(&lock);
    int now = stop;
    pthread_mutex_unlock(&lock);
    return now ? arg : 0;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, run, 0);
    stop = 1;
    pthread_cond_signal(&tick);
    pthread_cond_broadcast(&tick);
    pthread_join(one, 0);
    return 0;
}
