#include <pthread.h>
#include <stdlib.h>
static int *data;

static void *use(void *arg) {
    data[1] = data[0] + 1;
    return arg;
}

int main(void) {
    pthread_t a;
    data = calloc(2, sizeof *data);
    pthread_create(&a, NULL, use, NULL);
    free(data);
    pthread_join(a, NULL);
    return 0;
}
