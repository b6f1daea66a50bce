#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    int n = __VERIFIER_nondet_uchar() % 6, pairs = 0;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            pairs++;
    assert(pairs * 2 == n * (n - 1));
    return 0;
}
