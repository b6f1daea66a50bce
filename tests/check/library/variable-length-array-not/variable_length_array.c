#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uchar() % 4 + 1;
    int cells[n];
    for (unsigned i = 0; i < n; i++)
        cells[i] = (int)i;
    assert(sizeof cells == n * sizeof(int) && cells[n - 1] == (int)n - 1);
    return 0;
}
