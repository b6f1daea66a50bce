/* Threads of C11's threads.h: not controlled yet, so nothing may be claimed. */
#include <assert.h>
#include <threads.h>

static int x;

static int worker(void *arg) {
    (void)arg;
    x = x + 1;
    return 0;
}

int main(void) {
    thrd_t one, two;
    thrd_create(&one, worker, 0);
    thrd_create(&two, worker, 0);
    thrd_join(one, 0);
    thrd_join(two, 0);
    assert(x == 2);
    return 0;
}
