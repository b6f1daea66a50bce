#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

int main(void) {
    signal(SIGALRM, SIG_IGN);
    struct itimerval every = {{0, 1000}, {0, 1000}};
    setitimer(ITIMER_REAL, &every, NULL);
    pause();
    return 0;
}
