/* All signals are blocked while threads are created, as libraries do it; the children have the mask, too. */
#include <pthread.h>
#include <signal.h>
int count, blocked;
void *body(void *arg) {
    sigset_t now;
    pthread_sigmask(SIG_BLOCK, 0, &now);
    if (sigismember(&now, SIGTERM) && !sigismember(&now, SIGKILL))
        blocked++;
    count++;
    return arg;
}
int main(void) {
    pthread_t a, b;
    sigset_t all, before, one;
    sigfillset(&all);
    sigemptyset(&one);
    sigaddset(&one, SIGTERM);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_create(&a, 0, body, 0);
    pthread_sigmask(SIG_SETMASK, &before, 0);
    pthread_sigmask(SIG_BLOCK, &one, 0);
    pthread_create(&b, 0, body, 0);
    pthread_sigmask(SIG_UNBLOCK, &one, &before);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return count * 100 + blocked * 10 + sigismember(&before, SIGTERM);
}
