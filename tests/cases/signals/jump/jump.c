#include <assert.h>
#include <errno.h>
#include <setjmp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static sigjmp_buf back;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void on_signal(int signal) { siglongjmp(back, signal); }

int main(void) {
    signal(SIGALRM, on_signal);
    for (int i = 0; i < 3; i++) {
        if (sigsetjmp(back, 1) == 0) {
            alarm(1);
            pause();
            assert(0);
        }
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}
