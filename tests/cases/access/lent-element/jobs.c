/* Elements of main's own array, one for each thread, and one that main keeps: nobody meets. */
#include <assert.h>
#include <pthread.h>
static void *work(void *arg) {
    int *mine = arg;
    *mine += 1;
    return 0;
}
int main(void) {
    int results[3] = {1, 2, 3};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, work, &results[i]);
    results[2] += 1;
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    assert(results[0] + results[1] + results[2] == 9);
    return 0;
}
