/* Two threads count in a text, with sscanf and snprintf: libc's accesses are not seen.
 * The lost update is missed, so nothing may be called complete. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char text[16] = "0";

static void *worker(void *arg) {
    int value;
    sscanf(text, "%d", &value);
    snprintf(text, sizeof text, "%d", value + 1);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(strcmp(text, "2") == 0);
    return 0;
}
