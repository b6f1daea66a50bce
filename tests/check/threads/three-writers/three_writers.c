#include <assert.h>
#include <pthread.h>

static int last;

static void *write_it(void *arg) {
    last = *(int *)arg;
    return 0;
}

int main(void) {
    pthread_t threads[3];
    int values[3] = {1, 2, 3};
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, write_it, &values[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    assert(last != 1);
    return 0;
}
