#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t child;

static void *waiter(void *arg) {
    siginfo_t info;
    /* Who comes second finds no child. */
    assert(waitid(P_PID, child, &info, WEXITED) == 0);
    assert(info.si_pid == child && info.si_code == CLD_EXITED && info.si_status == 7);
    return arg;
}

int main(void) {
    pthread_t thread;
    child = fork();
    if (child == 0)
        _exit(7);
    pthread_create(&thread, NULL, waiter, NULL);
    waiter(NULL);
    pthread_join(thread, NULL);
    return 0;
}
