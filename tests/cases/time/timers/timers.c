#include <assert.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t ticks, value;

static void on_tick(int signal) { ticks += signal == SIGALRM; }

static void on_timer(int signal, siginfo_t *info, void *context) {
    (void)context;
    assert(signal == SIGUSR1 && info->si_signo == SIGUSR1 && info->si_code == SI_TIMER);
    value = info->si_value.sival_int;
}

int main(void) {
    struct sigaction action = {.sa_handler = on_tick};
    sigaction(SIGALRM, &action, NULL);
    struct itimerval every = {{0, 100000}, {0, 100000}};
    setitimer(ITIMER_REAL, &every, NULL);
    while (ticks < 10)
        pause();
    struct itimerval left, none;
    memset(&none, 0, sizeof none);
    setitimer(ITIMER_REAL, &none, &left);
    assert(left.it_interval.tv_usec == 100000);

    action.sa_sigaction = on_timer;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGUSR1, &action, NULL);
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    event.sigev_value.sival_int = 17;
    timer_t timer;
    assert(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    struct itimerspec once = {{0, 0}, {5, 0}}, rest;
    assert(timer_settime(timer, 0, &once, NULL) == 0);
    assert(timer_gettime(timer, &rest) == 0 && rest.it_value.tv_sec <= 5);
    while (!value)
        pause();
    assert(value == 17);
    assert(timer_delete(timer) == 0);
    return 0;
}
