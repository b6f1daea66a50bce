#include <pthread.h>
#include <stdatomic.h>

static int slots[4];
static atomic_uint tail;

static void *produce(void *arg) {
    unsigned at = atomic_fetch_add(&tail, 1);
    slots[at] = 7;
    return arg;
}

static void *consume(void *arg) {
    int sum = 0;
    unsigned end = atomic_load(&tail);
    for (unsigned at = 0; at < end; at++)
        sum += slots[at];
    return sum ? arg : 0;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], 0, produce, 0);
    pthread_create(&threads[1], 0, produce, 0);
    pthread_create(&threads[2], 0, consume, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}
