#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x, y;

static void *both_ways(void *arg) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    x++;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    y++;
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return arg;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, both_ways, 0);
    pthread_mutex_lock(&a);
    x--;
    pthread_mutex_unlock(&a);
    pthread_mutex_lock(&b);
    y--;
    pthread_mutex_unlock(&b);
    pthread_join(one, 0);
    return 0;
}
