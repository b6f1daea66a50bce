#include <pthread.h>
#include <stdatomic.h>

static int hits;

static void *hit(void *arg) {
    __atomic_fetch_add(&hits, 1, __ATOMIC_SEQ_CST);
    return arg;
}

static void *show(void *arg) {
    return hits > 1 ? arg : 0;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], 0, hit, 0);
    pthread_create(&threads[1], 0, hit, 0);
    pthread_create(&threads[2], 0, show, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return hits != 2;
}
