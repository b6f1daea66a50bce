#include <pthread.h>
#include <time.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *patient(void *arg) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    x++;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return arg;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, patient, 0);
    struct timespec until = {1, 0};
    pthread_mutex_lock(&b);
    if (pthread_mutex_timedlock(&a, &until) == 0) {
        x++;
        pthread_mutex_unlock(&a);
    }
    pthread_mutex_unlock(&b);
    pthread_join(one, 0);
    return 0;
}
