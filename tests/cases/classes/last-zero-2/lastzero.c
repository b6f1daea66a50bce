#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int array[N + 1];

/* The first looks for the last zero, from the end; each other sets its own element. */
static void *thread(void *arg) {
    long i = (long)arg;
    if (i > 0) {
        array[i] = array[i - 1] + 1;
    } else {
        i = N;
        while (array[i] != 0)
            i--;
    }
    return arg;
}

int main(void) {
    pthread_t threads[N + 1];
    for (long i = 0; i <= N; i++)
        pthread_create(&threads[i], NULL, thread, (void *)i);
    for (int i = 0; i <= N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
