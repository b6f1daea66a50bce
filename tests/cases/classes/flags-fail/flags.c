#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x, y;

static void *thread(void *arg) {
    if (arg == NULL) {
        x = 1;
        y = 1;
    } else {
        int b = y, a = x;
        assert(a >= b);
        int c = x;
        assert(c == 1);
    }
    return arg;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, thread, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
