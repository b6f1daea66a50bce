#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    static void *const entry[] = {&&even, &&odd};
    int n = __VERIFIER_nondet_uchar() & 7, start = n, steps = 0;
    goto *entry[n & 1];
even:
    if (n == 0)
        goto done;
    n--;
    steps++;
odd:
    n--;
    steps++;
    goto even;
done:
    assert(steps == start);
    return 0;
}
