#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int count;
static void *one(void *arg) {
    pthread_mutex_lock(&m); int c = count; count = c + 1; pthread_mutex_unlock(&m);
    return arg;
}
static void *two(void *arg) {
    int got = pthread_mutex_trylock(&m) == 0;
    int c = count; count = c + 1;
    if (got) pthread_mutex_unlock(&m);
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&b, 0, two, 0);
    pthread_create(&a, 0, one, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(count == 2);
    return 0;
}
