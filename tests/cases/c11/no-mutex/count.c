/* Two threads of threads.h count without a lock. */
#include <assert.h>
#include <threads.h>

static mtx_t m;
static int x;

static int worker(void *arg) {
    x = x + 1;
    return *(int *)arg;
}

int main(void) {
    thrd_t one, two;
    int a = 3, b = -4, first, second;
    assert(mtx_init(&m, mtx_plain) == thrd_success);
    assert(thrd_create(&one, worker, &a) == thrd_success);
    assert(thrd_create(&two, worker, &b) == thrd_success);
    assert(thrd_join(one, &first) == thrd_success && first == 3);
    assert(thrd_join(two, &second) == thrd_success && second == -4);
    assert(x == 2);
    mtx_destroy(&m);
    return 0;
}
