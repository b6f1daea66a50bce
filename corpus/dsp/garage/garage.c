// The manager writes the work order down after it has called the workers; who comes early finds an empty one.
#include <assert.h>
#include <pthread.h>

#ifndef WORKERS
#define WORKERS 3
#endif
#ifndef ASKS
#define ASKS 2
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int called, task, done;

static void *worker(void *arg) {
    for (int i = 0; i < ASKS; i++) {
        pthread_mutex_lock(&lock);
        int come = called;
        pthread_mutex_unlock(&lock);
        if (come) {
            int mine = task;
            pthread_mutex_lock(&lock);
            done = done + mine;
            pthread_mutex_unlock(&lock);
            assert(mine == 7);
            break;
        }
    }
    return arg;
}

static void *manager(void *arg) {
    pthread_mutex_lock(&lock);
    called = 1;
    pthread_mutex_unlock(&lock);
    task = 7;
    return arg;
}

int main(void) {
    pthread_t workers[WORKERS], boss;
    pthread_create(&boss, NULL, manager, NULL);
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&workers[i], NULL, worker, NULL);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], NULL);
    pthread_join(boss, NULL);
    return 0;
}
