#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object { atomic_int owners; int use[2]; };

static void drop(struct object *object) {
    if (atomic_fetch_sub_explicit(&object->owners, 1, memory_order_release) == 1) {
        atomic_thread_fence(memory_order_acquire);
        free(object);
    }
}

static void *use(void *arg) {
    struct object *object = arg;
    object->use[0]++;
    drop(object);
    return 0;
}

int main(void) {
    struct object *object = calloc(1, sizeof *object);
    atomic_init(&object->owners, 2);
    pthread_t one;
    pthread_create(&one, 0, use, object);
    object->use[1]++;
    drop(object);
    pthread_join(one, 0);
    return 0;
}
