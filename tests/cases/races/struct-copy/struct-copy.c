#include <pthread.h>

static struct state { int a, b, c, d, e, f; } state, backup;

static void *save(void *arg) {
    backup = state;
    return arg;
}

static void *change(void *arg) {
    state.e = 1;
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, save, 0);
    pthread_create(&two, 0, change, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
