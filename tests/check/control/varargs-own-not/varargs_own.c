#include <assert.h>
#include <stdarg.h>

static long sum(int count, ...) {
    va_list list;
    va_start(list, count);
    long total = 0;
    while (count-- > 0)
        total += va_arg(list, int);
    if (total == 0)
        total = (long)va_arg(list, double) + *va_arg(list, long *);
    va_end(list);
    return total;
}

int main(void) {
    long last = 5;
    assert(sum(0, 2.5, &last) == 7 && sum(7, 1, 2, 3, 4, 5, 6, 7) == 28);
    return 0;
}
