/* A text is copied with strcpy, and printed by another thread in the middle of it.
 * Fails where one runs between the two halves of the other. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static char name[8] = "aaaa";
static char shown[16];

static void *printer(void *arg);

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, printer, NULL);
    strcpy(name, "bb");
    strcat(name, "cc");
    pthread_join(t, NULL);
    assert(strcmp(shown, "<aaaa0>") == 0 || strcmp(shown, "<bbcc0>") == 0);
    return 0;
}

static void *printer(void *arg) {
    snprintf(shown, sizeof shown, "<%3$.*2$s%1$.0f>", 0.0, 4, name);
    return arg;
}
