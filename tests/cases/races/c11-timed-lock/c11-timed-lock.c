#include <threads.h>
#include <time.h>

static mtx_t lock;
static int mode;

static int normal(void *arg) {
    mtx_lock(&lock);
    mtx_lock(&lock);
    mode = 1;
    mtx_unlock(&lock);
    mtx_unlock(&lock);
    return arg != 0;
}

static int urgent(void *arg) {
    struct timespec until;
    timespec_get(&until, TIME_UTC);
    int got = mtx_timedlock(&lock, &until) == thrd_success;
    mode = 2;
    if (got)
        mtx_unlock(&lock);
    return arg != 0;
}

int main(void) {
    mtx_init(&lock, mtx_timed | mtx_recursive);
    thrd_t one, two;
    thrd_create(&one, normal, 0);
    thrd_create(&two, urgent, 0);
    thrd_join(one, 0);
    thrd_join(two, 0);
    return 0;
}
