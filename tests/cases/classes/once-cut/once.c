#include <pthread.h>
pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
pthread_once_t o = PTHREAD_ONCE_INIT;
void once(void) {}
void *thread1(void *arg) { pthread_once(&o, once); pthread_cond_wait(&c, &n); return arg; }
int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, thread1, 0);
    pthread_create(&t2, 0, thread1, 0);
    pthread_once(&o, once);
    pthread_join(t2, 0);
    return 0;
}
