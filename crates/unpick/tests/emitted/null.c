#include <pthread.h>

struct config {
    int size, limit;
};

static struct config settings = { 3, 7 };
static struct config *current = &settings;
static int seen;

static void *reset(void *arg) {
    current = 0;
    return arg;
}

static void *use(void *arg) {
    if (current)
        seen = current->limit;
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, use, 0);
    pthread_create(&two, 0, reset, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
