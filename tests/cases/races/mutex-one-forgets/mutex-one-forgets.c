#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance;

static void *deposit(void *arg) {
    pthread_mutex_lock(&lock);
    balance += 10;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *show(void *arg) {
    int seen = balance;
    return seen > 5 ? arg : 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, deposit, 0);
    pthread_create(&two, 0, show, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
