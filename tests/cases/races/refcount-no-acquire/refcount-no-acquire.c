#include <pthread.h>
#include <stdatomic.h>

static struct object { atomic_int owners; int uses; } object = {2, 0};

static void *use(void *arg) {
    int mine = arg == 0;
    if (mine)
        object.uses = 5;
    if (atomic_fetch_sub_explicit(&object.owners, 1, memory_order_release) == 1 && !mine)
        object.uses = -1;
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, use, 0);
    pthread_create(&two, 0, use, &one);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
