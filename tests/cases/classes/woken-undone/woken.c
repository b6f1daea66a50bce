/* The second thread keeps the lock for good. Whoever is woken then does not get it back, but could have before. */
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER, d = PTHREAD_COND_INITIALIZER;
void *thread1(void *arg) {
    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return arg;
}
void *thread2(void *arg) {
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&n);
    pthread_cond_wait(&d, &n);
    pthread_mutex_unlock(&n);
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, thread1, 0);
    pthread_create(&t2, 0, thread2, 0);
    pthread_cond_signal(&c);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
