#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int calls, value, depth, deepest;
static pid_t from;

static void count(int signal) { calls += signal == SIGUSR1; }

static void on_value(int signal, siginfo_t *info, void *context) {
    assert(signal == info->si_signo && context);
    value = info->si_value.sival_int;
    from = info->si_pid;
}

static void nested(int signal) {
    deepest = ++depth > deepest ? depth : deepest;
    if (calls++ == 0)
        raise(signal);
    depth--;
}

static void *ended(void *arg) { return arg; }

int main(void) {
    sigset_t set, pending, before;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);

    /* Blocked: waits, once, and arrives before the unblocking returns. */
    signal(SIGUSR1, count);
    sigprocmask(SIG_BLOCK, &set, &before);
    raise(SIGUSR1);
    kill(getpid(), SIGUSR1);
    raise(SIGUSR1);
    sigpending(&pending);
    assert(calls == 0 && sigismember(&pending, SIGUSR1) && !sigismember(&pending, SIGUSR2));
    sigprocmask(SIG_SETMASK, &before, NULL);
    assert(calls >= 1 && calls <= 2);

    /* Ignored: gone. */
    calls = 0;
    signal(SIGUSR1, SIG_IGN);
    raise(SIGUSR1);
    signal(SIGUSR1, count);
    assert(calls == 0);

    /* One shot: the default is back, which for SIGCHLD is to do nothing. */
    struct sigaction action = {.sa_handler = count, .sa_flags = (int)SA_RESETHAND}, old;
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
    assert(calls == 1);
    sigaction(SIGUSR1, NULL, &old);
    assert(old.sa_handler == SIG_DFL);
    assert(raise(SIGCHLD) == 0 && raise(SIGWINCH) == 0);

    /* Values. */
    action.sa_sigaction = on_value;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGUSR2, &action, NULL);
    assert(sigqueue(getpid(), SIGUSR2, (union sigval){.sival_int = 17}) == 0);
    assert(value == 17 && from == getpid());
    from = 0;
    kill(getpid(), SIGUSR2);
    assert(from == getpid());

    /* A handler does not interrupt itself, unless it wants to. */
    calls = 0;
    signal(SIGUSR1, nested);
    raise(SIGUSR1);
    assert(calls == 2 && deepest == 1);
    calls = 0;
    action.sa_handler = nested;
    action.sa_flags = SA_NODEFER;
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
    assert(calls == 2 && deepest == 2);

    /* Numbers. */
    assert(kill(getpid(), 0) == 0);
    assert(kill(getpid(), 1000) == -1 && errno == EINVAL);
    assert(raise(1000) != 0);
    assert(pthread_kill(pthread_self(), 0) == 0 && pthread_kill(pthread_self(), 1000) == EINVAL);
    struct timespec soon = {1, 0};
    sigprocmask(SIG_BLOCK, &set, NULL);
    assert(sigtimedwait(&set, NULL, &soon) == -1 && errno == EAGAIN);
    siginfo_t info;
    raise(SIGUSR1);
    assert(sigtimedwait(&set, &info, &soon) == SIGUSR1 && info.si_signo == SIGUSR1);
    return 0;
}
