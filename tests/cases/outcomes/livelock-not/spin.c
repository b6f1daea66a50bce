/* A thread waits busily, with yields, for a flag that main sets.
 * However long it waits, that is no livelock. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;

static void *waiter(void *arg) {
    (void)arg;
    while (!flag)
        sched_yield();
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, waiter, NULL);
    flag = 1;
    pthread_join(t, NULL);
    return 0;
}
