#include <pthread.h>
#include <signal.h>

static volatile sig_atomic_t caught;
static int private_count;

static void handle(int number) {
    caught = number;
}

static void *work(void *arg) {
    raise(SIGUSR1);
    private_count += caught == SIGUSR1;
    caught = 0;
    return arg;
}

int main(void) {
    signal(SIGUSR1, handle);
    pthread_t one;
    pthread_create(&one, 0, work, 0);
    pthread_join(one, 0);
    return private_count != 1;
}
