/* A timed and recursive lock: gives up, or is taken twice. */
#include <assert.h>
#include <threads.h>
#include <time.h>

static mtx_t m;
static int x;

static int worker(void *arg) {
    (void)arg;
    struct timespec limit;
    timespec_get(&limit, TIME_UTC);
    limit.tv_sec += 5;
    int got = mtx_timedlock(&m, &limit);
    if (got == thrd_timedout)
        return 0;
    assert(got == thrd_success);
    assert(mtx_trylock(&m) == thrd_success);
    x = x + 1;
    mtx_unlock(&m);
    mtx_unlock(&m);
    return 1;
}

int main(void) {
    thrd_t one;
    int got;
    mtx_init(&m, mtx_timed | mtx_recursive);
    thrd_create(&one, worker, NULL);
    mtx_lock(&m);
    x = x + 1;
    mtx_unlock(&m);
    thrd_join(one, &got);
    assert(x == 1 + got);
    return 0;
}
