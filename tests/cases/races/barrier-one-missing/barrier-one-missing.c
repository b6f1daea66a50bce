#include <pthread.h>

static pthread_barrier_t phase;
static int cells[2];

static void *step(void *arg) {
    int me = *(int *)arg;
    pthread_barrier_wait(&phase);
    int seen = cells[1 - me];
    cells[me] = seen + 1;
    return arg;
}

int main(void) {
    pthread_barrier_init(&phase, 0, 2);
    pthread_t one, two;
    int zero = 0, first = 1;
    pthread_create(&one, 0, step, &zero);
    pthread_create(&two, 0, step, &first);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
