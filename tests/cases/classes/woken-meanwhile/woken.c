/* A signal that nobody waits for yet is lost. */
#include <pthread.h>
pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
void *thread1(void *arg) { pthread_cond_broadcast(&c); return arg; }
void *thread2(void *arg) { pthread_mutex_lock(&n); pthread_cond_wait(&c, &n); pthread_mutex_unlock(&n); return arg; }
int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, thread1, 0);
    pthread_create(&t2, 0, thread2, 0);
    pthread_mutex_lock(&n);
    pthread_cond_wait(&c, &n);
    pthread_mutex_unlock(&n);
    return 0;
}
