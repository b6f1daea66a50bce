/* A thread is cancelled while it waits for input that never comes; its cleanup handler gives the lock
 * back. */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ends[2];
static int waited;

static void unlock(void *mutex) {
    pthread_mutex_unlock(mutex);
}

static void wait_for_input(void) {
    sigset_t set;
    int signal;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    sigwait(&set, &signal);
}

static void *worker(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(unlock, &lock);
    waited = 1;
    wait_for_input();
    pthread_cleanup_pop(1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    void *value;
    if (pipe(ends) != 0)
        return 1;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_cancel(thread);
    pthread_join(thread, &value);
    assert(value == PTHREAD_CANCELED);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return 0;
}
