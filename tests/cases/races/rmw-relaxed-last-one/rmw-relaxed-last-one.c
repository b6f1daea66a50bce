#include <pthread.h>
#include <stdatomic.h>

static int left, right;
static atomic_int arrived;

static void *arrive(void *arg) {
    *(int *)arg = 1;
    if (atomic_fetch_add_explicit(&arrived, 1, memory_order_relaxed) == 1) {
        int sum = left;
        sum += right;
        return sum == 2 ? arg : 0;
    }
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, arrive, &left);
    pthread_create(&two, 0, arrive, &right);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
