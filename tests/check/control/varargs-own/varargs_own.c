#include <assert.h>
#include <stdarg.h>

static long sum(int count, ...) {
    va_list list;
    va_start(list, count);
    long total = 0;
    while (--count > 0)
        total += va_arg(list, int);
    va_end(list);
    return total;
}

int main(void) {
    assert(sum(3, 10, 20, 30) == 60);
    return 0;
}
