#include <assert.h>
#include <pthread.h>

static int initialised, ready;

static void initialise(void) {
    initialised++;
    ready = 1;
}

static void *work(void *arg) {
    if (!ready)
        initialise();
    assert(ready && initialised == 1);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(initialised == 1);
    return 0;
}
