/* Two threads take texts apart with strtok, which remembers the text for everybody.
 * Fails where one begins between the other's two calls. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static void *splitter(void *arg) {
    char text[] = "c d";
    strtok(text, " ");
    char *second = strtok(NULL, " ");
    assert(second != NULL && strcmp(second, "d") == 0);
    return arg;
}

int main(void) {
    pthread_t t;
    char text[] = "a b";
    pthread_create(&t, NULL, splitter, NULL);
    strtok(text, " ");
    char *second = strtok(NULL, " ");
    assert(second != NULL && strcmp(second, "b") == 0);
    pthread_join(t, NULL);
    return 0;
}
