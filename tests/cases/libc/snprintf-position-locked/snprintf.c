/* A text is copied with strcpy, and printed by another thread in the middle of it.
 * Behind a lock it holds. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static char name[8] = "aaaa";
static char shown[16];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *printer(void *arg);

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, printer, NULL);
    pthread_mutex_lock(&lock);
    strcpy(name, "bb");
    strcat(name, "cc");
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    assert(strcmp(shown, "<aaaa0>") == 0 || strcmp(shown, "<bbcc0>") == 0);
    return 0;
}

static void *printer(void *arg) {
    pthread_mutex_lock(&lock);
    snprintf(shown, sizeof shown, "<%3$.*2$s%1$.0f>", 0.0, 4, name);
    pthread_mutex_unlock(&lock);
    return arg;
}
