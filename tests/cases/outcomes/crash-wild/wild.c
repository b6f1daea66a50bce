/* A write through a pointer that is no possible address: the processor does not even say which.
 * It must not be taken for a null pointer. */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static int *volatile p = (int *)(uintptr_t)0x3f9710b395a5d7b0u;

static void *worker(void *arg) {
    *p = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    return 0;
}
