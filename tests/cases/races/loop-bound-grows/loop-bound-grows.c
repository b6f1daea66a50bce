#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t grow_lock = PTHREAD_MUTEX_INITIALIZER;
static int *list, length = 1;

static void *grow(void *arg) {
    pthread_mutex_lock(&grow_lock);
    length = 2;
    pthread_mutex_unlock(&grow_lock);
    return arg;
}

static void *sum(void *arg) {
    int total = 0;
    for (int i = 0; i < length; i++)
        total += list[i];
    return total ? arg : 0;
}

int main(void) {
    list = calloc(1, sizeof *list);
    list = realloc(list, 4096 * sizeof *list);
    list[0] = list[1] = 1;
    pthread_t one, two;
    pthread_create(&one, 0, grow, 0);
    pthread_create(&two, 0, sum, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    free(list);
    return 0;
}
