#include <pthread.h>

static int balance;
static int counted;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *deposit(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&m);
    counted++;
    pthread_mutex_unlock(&m);
    balance += 100;
    return 0;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, deposit, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    return balance == 0;
}
