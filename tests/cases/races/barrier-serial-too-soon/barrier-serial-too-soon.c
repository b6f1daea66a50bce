#include <pthread.h>

static pthread_barrier_t met;
static int left, right, sum;

static void *part(void *arg) {
    *(int *)arg = 2;
    if (pthread_barrier_wait(&met) == PTHREAD_BARRIER_SERIAL_THREAD)
        sum = left + right;
    int seen = sum;
    return seen ? arg : 0;
}

int main(void) {
    pthread_barrier_init(&met, 0, 2);
    pthread_t one, two;
    pthread_create(&one, 0, part, &left);
    pthread_create(&two, 0, part, &right);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
