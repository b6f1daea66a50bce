#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready;
static volatile sig_atomic_t handled;

static void on_signal(int signal) { handled = signal; }

static void *sender(void *arg) {
    pthread_kill(*(pthread_t *)arg, SIGUSR1);
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void) {
    pthread_t self = pthread_self(), thread;
    signal(SIGUSR1, on_signal);
    pthread_create(&thread, NULL, sender, &self);
    pthread_mutex_lock(&mutex);
    while (!ready)
        pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    assert(handled == SIGUSR1);
    return 0;
}
