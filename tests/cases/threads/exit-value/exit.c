/* pthread_exit from a nested call ends the thread, and join gets its value.
 * Nothing behind the call is executed. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static void leave(long value) {
    pthread_exit((void *)value);
}

static void *worker(void *arg) {
    leave((long)arg + 1);
    abort();
}

int main(void) {
    pthread_t one, two;
    void *a, *b;
    pthread_create(&one, NULL, worker, (void *)1);
    pthread_create(&two, NULL, worker, (void *)2);
    pthread_join(one, &a);
    pthread_join(two, &b);
    assert((long)a == 2 && (long)b == 3);
    return 0;
}
