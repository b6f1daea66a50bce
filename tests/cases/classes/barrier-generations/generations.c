/* Five arrivals at a barrier for two: one is left over, whoever comes last. */
#include <pthread.h>
pthread_barrier_t b;
void *thread(void *arg) { pthread_barrier_wait(&b); pthread_barrier_wait(&b); return arg; }
int main(void) {
    pthread_t t1, t2;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t1, 0, thread, 0);
    pthread_create(&t2, 0, thread, 0);
    pthread_barrier_wait(&b);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    pthread_exit(0);
}
