/* The value of a key is destroyed before its thread has ended. */
#include <assert.h>
#include <threads.h>

static tss_t key;
static int live;

static void destroy(void *value) {
    assert(value == &live);
    live--;
}

static int worker(void *arg) {
    (void)arg;
    live++;
    assert(tss_set(key, &live) == thrd_success);
    assert(tss_get(key) == &live);
    thrd_yield();
    thrd_sleep(&(struct timespec){.tv_sec = 1}, NULL);
    return 0;
}

int main(void) {
    thrd_t one;
    assert(tss_create(&key, destroy) == thrd_success);
    thrd_create(&one, worker, NULL);
    thrd_join(one, NULL);
    tss_delete(key);
    assert(live == 0);
    return 0;
}
