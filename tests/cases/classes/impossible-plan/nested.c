/* Where two locks are nested in one thread, what another thread waits for may need what it would be put before. */
#include <pthread.h>
#include <assert.h>
int values[9];
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
pthread_once_t o = PTHREAD_ONCE_INIT;
void once(void) { }
void *thread1(void *arg) {
    pthread_mutex_lock(&n);
    assert(values[5] == 2);
    return arg;
}
void *thread2(void *arg) {
    pthread_mutex_lock(&n);
    pthread_mutex_lock(&m);
    pthread_once(&o, once);
    pthread_once(&o, once);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&n);
    return arg;
}
int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, thread1, 0);
    pthread_create(&t2, 0, thread2, 0);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_once(&o, once);
    pthread_mutex_unlock(&m);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
