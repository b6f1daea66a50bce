/* A program that writes a lot and never fails, from two threads.
 * None of it may reach our standard output. */
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static void *worker(void *arg) {
    (void)arg;
    for (int i = 0; i < 1000; i++)
        if (write(1, "{}[]\"\\\n", 7) != 7)
            return NULL;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    return 0;
}
