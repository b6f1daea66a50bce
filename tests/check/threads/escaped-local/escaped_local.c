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
    pthread_create(&thread, 0, change, &local);
    int seen = local;
    pthread_join(thread, 0);
    assert(seen == local);
    return 0;
}
