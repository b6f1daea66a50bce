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
    pthread_create(&thread, NULL, body, NULL);
    sigdelset(&all, SIGTERM);
    pthread_sigmask(SIG_UNBLOCK, &all, &before);
    assert(sigismember(&before, SIGTERM) && sigismember(&before, SIGINT));
    pthread_sigmask(SIG_BLOCK, NULL, &before);
    assert(sigismember(&before, SIGTERM) && !sigismember(&before, SIGINT));
    pthread_join(thread, NULL);
    return 0;
}
