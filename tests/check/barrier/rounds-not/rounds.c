#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int cells[2];

static void *work(void *arg) {
    int me = *(int *)arg;
    for (int round = 1; round <= 2; round++) {
        cells[me] = round;
        pthread_barrier_wait(&barrier);
        assert(cells[!me] == round);
        pthread_barrier_wait(&barrier);
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    int ids[2] = {0, 1};
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&thread, 0, work, &ids[0]);
    work(&ids[1]);
    pthread_join(thread, 0);
    pthread_barrier_destroy(&barrier);
    return 0;
}
