#include <assert.h>
#include <pthread.h>

static int seen[2];

static void *work(void *arg) {
    int id = *(int *)arg;
    if (id < 2)
        seen[id]++;
    return 0;
}

int main(void) {
    pthread_t threads[2];
    int ids[2] = {0, 1};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, work, &ids[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    assert(seen[0] == 1 && seen[1] == 1);
    return 0;
}
