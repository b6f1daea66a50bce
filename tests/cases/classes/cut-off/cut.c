#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x;

static void *thread(void *arg) {
    x = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    int seen = x;
    (void)seen;
    return 0;
}
