/* A signal wakes one of several, a broadcast all. */
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int tickets, order, first[3];
void *takes(void *arg) {
    pthread_mutex_lock(&m);
    while (!tickets)
        pthread_cond_wait(&c, &m);
    tickets--;
    first[order++] = (int)(long)arg;
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t t[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], 0, takes, (void *)i);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        tickets++;
        pthread_cond_signal(&c);
        pthread_mutex_unlock(&m);
    }
    pthread_mutex_lock(&m);
    tickets++;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
