#include <assert.h>
#include <pthread.h>

static int references = 2, freed;

static void *release(void *arg) {
    int left = __sync_sub_and_fetch(&references, 1);
    if (left == 0)
        __sync_fetch_and_add(&freed, 1);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, release, 0);
    release(0);
    pthread_join(thread, 0);
    __sync_synchronize();
    assert(__sync_bool_compare_and_swap(&freed, 1, 0));
    return 0;
}
