#include <pthread.h>

static int cells[4];
static const int targets[] = {0, 2, 2, 3};

static void *work(void *arg) {
    int me = *(const int *)arg;
    cells[targets[me]] = me;
    return 0;
}

int main(void) {
    pthread_t threads[3];
    static int ids[3] = {0, 1, 2};
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, work, &ids[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}
