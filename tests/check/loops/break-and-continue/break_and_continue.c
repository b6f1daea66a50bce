#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    int stop = __VERIFIER_nondet_uchar() % 10, sum = 0, i;
    for (i = 0; i < 10; i++) {
        if (i % 2)
            continue;
        if (i > stop)
            break;
        sum += i;
    }
    int half = stop / 2;
    assert(sum == half * (half + 1));
    assert(i >= stop && i <= stop + 2);
    return 0;
}
