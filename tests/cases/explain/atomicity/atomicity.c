#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int *buffer; int valid;
static void *reader(void *arg) {
    pthread_mutex_lock(&m);
    int ok = valid;
    pthread_mutex_unlock(&m);
    if (ok) {
        pthread_mutex_lock(&m);
        assert(valid);
        pthread_mutex_unlock(&m);
    }
    return arg;
}
static void *closer(void *arg) {
    pthread_mutex_lock(&m);
    valid = 0;
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void) {
    pthread_t a, b;
    valid = 1;
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, closer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
