#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static char *text;

static void *allocate(void *arg) {
    text = malloc(8);
    return arg;
}

static void *fill(void *arg) {
    if (text != NULL)
        strcpy(text, "Bigshot");
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, allocate, NULL);
    pthread_create(&two, NULL, fill, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(text == NULL || text[0] == 'B');
    free(text);
    return 0;
}
