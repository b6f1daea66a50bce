#include <assert.h>
#include <pthread.h>

static pthread_key_t key;

static void *work(void *arg) {
    assert(pthread_getspecific(key) == arg);
    return 0;
}

int main(void) {
    pthread_t thread;
    int mine;
    pthread_key_create(&key, 0);
    pthread_setspecific(key, &mine);
    pthread_create(&thread, 0, work, &mine);
    pthread_join(thread, 0);
    assert(pthread_getspecific(key) == &mine);
    return 0;
}
