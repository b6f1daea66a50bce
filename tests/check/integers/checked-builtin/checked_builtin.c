#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), sum, difference;
    long exact = (long)a + b;
    int over = __builtin_add_overflow(a, b, &sum);
    assert(over == (exact != sum));
    over = __builtin_sub_overflow(a, b, &difference);
    assert(over || (long)a - b == difference);
    return 0;
}
