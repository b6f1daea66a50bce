#include <assert.h>
#include <pthread.h>

static int totals[2];

static void *work(void *arg) {
    totals[*(int *)arg]++;
    return 0;
}

int main(void) {
    pthread_t a, b;
    int ids[2] = {0, 1};
    pthread_create(&a, 0, work, &ids[0]);
    pthread_create(&b, 0, work, &ids[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(totals[0] + totals[1] == 2);
    return 0;
}
