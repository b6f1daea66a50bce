#include <assert.h>
#include <threads.h>

static int total;
static mtx_t lock;

static int work(void *arg) {
    mtx_lock(&lock);
    total += *(int *)arg;
    mtx_unlock(&lock);
    return *(int *)arg * 2;
}

int main(void) {
    thrd_t a, b;
    int one = 1, two = 2, first, second;
    mtx_init(&lock, mtx_plain);
    thrd_create(&a, work, &one);
    thrd_create(&b, work, &two);
    thrd_join(a, &first);
    thrd_join(b, &second);
    assert(first == 2 && second == 4);
    assert(total == 3);
    return 0;
}
