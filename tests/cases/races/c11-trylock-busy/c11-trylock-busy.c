#include <threads.h>

static mtx_t lock;
static int stock;

static int sell(void *arg) {
    mtx_lock(&lock);
    stock--;
    mtx_unlock(&lock);
    return arg != 0;
}

static int count(void *arg) {
    int status = mtx_trylock(&lock);
    if (status == thrd_success || status == thrd_busy)
        stock = 0;
    if (status == thrd_success)
        mtx_unlock(&lock);
    return arg != 0;
}

int main(void) {
    mtx_init(&lock, mtx_plain);
    thrd_t one, two;
    thrd_create(&one, sell, 0);
    thrd_create(&two, count, 0);
    thrd_join(one, 0);
    thrd_join(two, 0);
    return 0;
}
