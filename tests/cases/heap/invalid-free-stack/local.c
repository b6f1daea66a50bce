/* A worker frees a variable of its creator's stack. */
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static void *worker(void *text) {
    char own[32];
    own[0] = *(char *)text;
    free(own[0] ? own : text);
    return NULL;
}

int main(void) {
    pthread_t t;
    char text[32] = "x";
    pthread_create(&t, NULL, worker, text);
    pthread_join(t, NULL);
    return 0;
}
