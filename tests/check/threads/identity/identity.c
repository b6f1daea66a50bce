#include <assert.h>
#include <pthread.h>

static pthread_t main_thread;

static void *work(void *arg) {
    assert(pthread_equal(pthread_self(), main_thread));
    return arg;
}

int main(void) {
    main_thread = pthread_self();
    pthread_t thread, self = main_thread;
    pthread_create(&thread, 0, work, &self);
    pthread_join(thread, 0);
    return 0;
}
