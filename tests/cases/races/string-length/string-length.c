#include <pthread.h>
#include <string.h>

static char name[16] = "ab";

static void *append(void *arg) {
    strcpy(name + 2, "cd");
    return arg;
}

static void *measure(void *arg) {
    return strlen(name) > 2 ? arg : 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, append, 0);
    pthread_create(&two, 0, measure, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
