#include <pthread.h>
#include <stddef.h>

static int number;
static int *where = &number;

static void *first(void *arg) {
    if (arg == NULL)
        where = NULL;
    return arg;
}

static void *second(void *arg) {
    if (arg == NULL)
        where = NULL;
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    *where = 1;
    return 0;
}
