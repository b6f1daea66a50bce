// Arguments by value and in memory, variadic ones, pointers to functions, assembler.
#include <stdarg.h>
struct large {
    long a[4];
};
struct small {
    int a, b;
};
struct large give(struct large l, struct small s) {
    l.a[0] = s.b;
    return l;
}
int sum(int n, ...) {
    va_list list;
    va_start(list, n);
    struct large l = va_arg(list, struct large);
    va_end(list);
    return l.a[0];
}
int use(int (*f)(int, ...), struct large l) {
    struct small s = {1, 2};
    l = give(l, s);
    return f(1, l) + sum(2, l, 3.0);
}
int untyped();
int older(void) { return untyped(1, 2L); }
unsigned swap(unsigned x) {
    __asm__("bswap %0" : "+r"(x));
    return x;
}
