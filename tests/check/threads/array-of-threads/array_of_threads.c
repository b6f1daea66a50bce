#include <assert.h>
#include <pthread.h>

static int cells[4];

static void *fill(void *arg) {
    int *cell = arg;
    *cell = (int)(cell - cells) + 1;
    return 0;
}

int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], 0, fill, &cells[i]);
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], 0);
        sum += cells[i];
    }
    assert(sum == 10);
    return 0;
}
