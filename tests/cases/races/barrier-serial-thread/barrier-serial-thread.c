#include <pthread.h>

static pthread_barrier_t met, summed;
static int parts[3], sum;

static void *part(void *arg) {
    int *mine = arg;
    *mine = 1;
    if (pthread_barrier_wait(&met) == PTHREAD_BARRIER_SERIAL_THREAD)
        sum = parts[0] + parts[1] + parts[2];
    pthread_barrier_wait(&summed);
    *mine = sum;
    return arg;
}

int main(void) {
    pthread_barrier_init(&met, 0, 3);
    pthread_barrier_init(&summed, 0, 3);
    pthread_t one, two;
    pthread_create(&one, 0, part, &parts[0]);
    pthread_create(&two, 0, part, &parts[1]);
    part(&parts[2]);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return parts[1] != 3;
}
