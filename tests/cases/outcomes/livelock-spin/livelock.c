/* Two threads wait for each other, busily, with yields: neither is ever blocked.
 * Every run is a livelock, whatever the schedule. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int a, b;

static void *one(void *arg) {
    (void)arg;
    while (!b)
        sched_yield();
    a = 1;
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    while (!a)
        sched_yield();
    b = 1;
    return NULL;
}

int main(void) {
    pthread_t s, t;
    pthread_create(&s, NULL, one, NULL);
    pthread_create(&t, NULL, two, NULL);
    pthread_join(s, NULL);
    pthread_join(t, NULL);
    return 0;
}
