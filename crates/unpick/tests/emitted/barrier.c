#include <assert.h>
#include <pthread.h>

static pthread_barrier_t meeting;
static int arrived, leaders;

static void *walk(void *arg) {
    int before = arrived;
    arrived = before + 1;
    if (pthread_barrier_wait(&meeting) == PTHREAD_BARRIER_SERIAL_THREAD)
        leaders++;
    assert(arrived == 2);
    return arg;
}

int main(void) {
    pthread_t one;
    pthread_barrier_init(&meeting, 0, 2);
    pthread_create(&one, 0, walk, 0);
    walk(0);
    pthread_join(one, 0);
    assert(leaders == 1);
    return 0;
}
