#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_once_t o = PTHREAD_ONCE_INIT;
static int x;

static void initialise(void) {
    x++;
}

static void *thread(void *arg) {
    pthread_once(&o, initialise);
    assert(x == 1);
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
