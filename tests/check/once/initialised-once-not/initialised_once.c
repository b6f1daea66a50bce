#include <assert.h>
#include <pthread.h>

static int initialised, ready;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void initialise(void) {
    initialised++;
    ready = 1;
}

static void *work(void *arg) {
    pthread_once(&once, initialise);
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
