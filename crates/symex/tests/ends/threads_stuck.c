// end: stuck
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *take(void *unused) {
    pthread_mutex_lock(&lock);
    return unused;
}
int main(void) {
    pthread_t one;
    pthread_mutex_lock(&lock);
    pthread_create(&one, NULL, take, NULL);
    pthread_join(one, NULL);
    return 0;
}
