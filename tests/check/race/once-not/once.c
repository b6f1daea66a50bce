#include <pthread.h>

static int table[2], ready;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void fill(void) {
    table[0] = 1;
    table[1] = 2;
    ready = 1;
}

static void *work(void *arg) {
    pthread_once(&once, fill);
    *(int *)arg = table[0] + table[1];
    return 0;
}

int main(void) {
    pthread_t a, b;
    int one, two;
    pthread_create(&a, 0, work, &one);
    pthread_create(&b, 0, work, &two);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
