#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t flag;

static void on_alarm(int signal) { flag = signal; }

int main(void) {
    signal(SIGALRM, on_alarm);
    alarm(2);
    while (!flag)
        ;
    return flag == SIGALRM ? 0 : 1;
}
