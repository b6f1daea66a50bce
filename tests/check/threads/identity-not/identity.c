#include <assert.h>
#include <pthread.h>

static pthread_t main_thread;

static void *work(void *arg) {
    *(pthread_t *)arg = pthread_self();
    return arg;
}

int main(void) {
    main_thread = pthread_self();
    pthread_t thread, self = main_thread;
    pthread_create(&thread, 0, work, &self);
    pthread_join(thread, 0);
    assert(pthread_equal(thread, self) && !pthread_equal(thread, main_thread));
    return 0;
}
