#include <pthread.h>

static pthread_barrier_t phase;
static int cells[2], copies[2];

static void step(int me) {
    cells[me] = me + 1;
    pthread_barrier_wait(&phase);
    copies[me] = cells[1 - me];
    pthread_barrier_wait(&phase);
    cells[me] = copies[me];
}

static void *other(void *arg) {
    step(1);
    return arg;
}

int main(void) {
    pthread_barrier_init(&phase, 0, 2);
    pthread_t one;
    pthread_create(&one, 0, other, 0);
    step(0);
    pthread_join(one, 0);
    return cells[0] != 2;
}
