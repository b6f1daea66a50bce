#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t flag;

static void on_alarm(int signal) { flag = signal; }

int main(void) {
    int ends[2];
    pipe(ends);
    struct sigaction action = {.sa_handler = on_alarm};
    sigaction(SIGALRM, &action, NULL);
    assert(alarm(2) == 0);
    int left = pause();
    assert(left == -1 && errno == EINTR);
    assert(flag == SIGALRM);
    assert(alarm(0) == 0);
    return 0;
}
