#include <assert.h>
#include <threads.h>

static int total;

static int work(void *arg) {
    total += *(int *)arg;
    return *(int *)arg * 2;
}

int main(void) {
    thrd_t a, b;
    int one = 1, two = 2, first, second;
    thrd_create(&a, work, &one);
    thrd_create(&b, work, &two);
    thrd_join(a, &first);
    thrd_join(b, &second);
    assert(first == 2 && second == 4);
    assert(total == 3);
    return 0;
}
