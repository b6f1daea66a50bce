#include <pthread.h>
#include <stdatomic.h>

static int parts[3], sum;
static atomic_int arrived;

static void *part(void *arg) {
    *(int *)arg = 1;
    if (atomic_fetch_add_explicit(&arrived, 1, memory_order_acq_rel) == 2)
        sum = parts[0] + parts[1] + parts[2];
    return arg;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, part, &parts[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return sum != 3;
}
