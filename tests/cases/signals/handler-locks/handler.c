#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void on_signal(int signal) {
    (void)signal;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
}

static void *sender(void *arg) {
    pthread_kill(*(pthread_t *)arg, SIGUSR1);
    return arg;
}

int main(void) {
    pthread_t self = pthread_self(), thread;
    signal(SIGUSR1, on_signal);
    pthread_create(&thread, NULL, sender, &self);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
