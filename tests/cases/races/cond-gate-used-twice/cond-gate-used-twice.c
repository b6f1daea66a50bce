#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static int open_now, input;

static void *work(void *arg) {
    pthread_mutex_lock(&lock);
    while (!open_now)
        pthread_cond_wait(&opened, &lock);
    pthread_mutex_unlock(&lock);
    int mine = input;
    return mine ? arg : 0;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, 0, work, 0);
    input = 1;
    for (int round = 0; round < 2; round++) {
        pthread_mutex_lock(&lock);
        open_now = 1;
        pthread_cond_broadcast(&opened);
        pthread_mutex_unlock(&lock);
        if (round == 0)
            input = 2;
    }
    pthread_join(one, 0);
    return 0;
}
