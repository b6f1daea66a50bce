#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static int low;

static void *write_pair(void *arg) {
    atomic_fetch_add(&sequence, 1);
    low = 1;
    atomic_fetch_add(&sequence, 1);
    return arg;
}

static void *read_pair(void *arg) {
    unsigned before = atomic_load(&sequence);
    int value = low;
    unsigned after = atomic_load(&sequence);
    if (before == after && before % 2 == 0)
        return value ? arg : 0;
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, write_pair, 0);
    pthread_create(&two, 0, read_pair, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
