/* Two threads take texts apart with strtok_r: each remembers its own. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static void *splitter(void *arg) {
    char text[] = "c d", *rest;
    strtok_r(text, " ", &rest);
    char *second = strtok_r(NULL, " ", &rest);
    assert(second != NULL && strcmp(second, "d") == 0);
    return arg;
}

int main(void) {
    pthread_t t;
    char text[] = "a b", *rest;
    pthread_create(&t, NULL, splitter, NULL);
    strtok_r(text, " ", &rest);
    char *second = strtok_r(NULL, " ", &rest);
    assert(second != NULL && strcmp(second, "b") == 0);
    pthread_join(t, NULL);
    return 0;
}
