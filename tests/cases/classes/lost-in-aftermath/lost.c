/* Main always fails, before the others have come far. That the second thread reads y, too, shows only if it is
 * woken, so only if it waits before the first one signals. */
#include <assert.h>
#include <pthread.h>
int y;
pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
void *thread1(void *arg) { pthread_cond_signal(&c); return arg; }
void *thread2(void *arg) {
    pthread_mutex_lock(&n);
    pthread_cond_wait(&c, &n);
    pthread_mutex_unlock(&n);
    return y == 1 ? arg : 0;
}
int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, thread1, 0);
    pthread_create(&t2, 0, thread2, 0);
    assert(y == 2);
    return 0;
}
