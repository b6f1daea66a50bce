#include <pthread.h>
#include <stdatomic.h>

static atomic_int next_item;
static int items[5];

static void *work(void *arg) {
    for (int mine; (mine = atomic_fetch_add_explicit(&next_item, 1, memory_order_relaxed)) < 5;)
        items[mine] += mine;
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, work, 0);
    pthread_create(&two, 0, work, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return items[4] != 4;
}
