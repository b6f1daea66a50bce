#include <assert.h>
#include <pthread.h>

static void *change(void *arg) {
    int *local = arg;
    *local += 10;
    return 0;
}

int main(void) {
    int local = 1;
    pthread_t thread;
    assert(local == 1);
    pthread_create(&thread, 0, change, &local);
    pthread_join(thread, 0);
    assert(local == 11);
    return 0;
}
