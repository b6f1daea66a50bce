/* Two threads count in a text, with sscanf and snprintf: an update is lost.
 * Behind a lock it holds. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static char text[16] = "0";
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg);

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_lock(&lock);
    int value;
    sscanf(text, "%d", &value);
    snprintf(text, sizeof text, "%d", value + 1);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    assert(strcmp(text, "2") == 0);
    return 0;
}

static void *worker(void *arg) {
    pthread_mutex_lock(&lock);
    int value;
    sscanf(text, "%d", &value);
    sprintf(text, "%d", value + 1);
    pthread_mutex_unlock(&lock);
    return arg;
}
