#include <assert.h>
#include <pthread.h>
#include <signal.h>

static volatile sig_atomic_t seen;

static void handler(int signal) {
    (void)signal;
    seen = 1;
}

static void *run(void *arg) {
    (void)arg;
    while (!seen) {
    }
    assert(seen == 2);
    return 0;
}

int main(void) {
    pthread_t thread;
    signal(SIGUSR1, handler);
    pthread_create(&thread, 0, run, 0);
    pthread_kill(thread, SIGUSR1);
    pthread_join(thread, 0);
    return 0;
}
