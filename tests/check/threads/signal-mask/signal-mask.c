#include <assert.h>
#include <pthread.h>
#include <signal.h>

static void *body(void *arg) {
    sigset_t now;
    pthread_sigmask(SIG_BLOCK, NULL, &now);
    assert(!sigismember(&now, SIGKILL));
    assert(sigismember(&now, SIGTERM));
    return arg;
}

int main(void) {
    pthread_t thread;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_create(&thread, NULL, body, NULL);
    pthread_join(thread, NULL);
    return 0;
}
