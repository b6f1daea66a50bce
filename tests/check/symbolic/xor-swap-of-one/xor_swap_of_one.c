#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static void swap(int *a, int *b) {
    *a ^= *b;
    *b ^= *a;
    *a ^= *b;
}

int main(void) {
    int v[3] = {7, 8, 9};
    swap(&v[__VERIFIER_nondet_uchar() % 3], &v[__VERIFIER_nondet_uchar() % 3]);
    assert(v[0] + v[1] + v[2] == 24);
    return 0;
}
