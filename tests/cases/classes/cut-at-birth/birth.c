#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
sem_t s; int ok;
void *thread1(void *arg) { sem_wait(&s); return arg; }
void *thread2(void *arg) { static int own; assert(own); return arg; }
int main(void) {
    pthread_t t1, t2;
    sem_init(&s, 0, 1);
    pthread_create(&t1, 0, thread1, 0);
    ok = sem_trywait(&s) == 0;
    pthread_create(&t2, 0, thread2, 0);
    pthread_join(t1, 0);
    return 0;
}
