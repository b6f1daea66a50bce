#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t go = PTHREAD_COND_INITIALIZER;
static int waiting, tickets, first = -1;

static void *runner(void *arg) {
    pthread_mutex_lock(&lock);
    int place = waiting++;
    while (tickets == 0)
        pthread_cond_wait(&go, &lock);
    tickets--;
    if (first < 0)
        first = place;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, runner, 0);
    pthread_create(&b, 0, runner, 0);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        tickets++;
        pthread_cond_signal(&go);
        pthread_mutex_unlock(&lock);
    }
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(first == 0);
    return 0;
}
