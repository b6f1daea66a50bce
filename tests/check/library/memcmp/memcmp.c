#include <assert.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char a[3] = {1, __VERIFIER_nondet_uchar(), 9};
    unsigned char b[3] = {1, __VERIFIER_nondet_uchar(), 9};
    int order = memcmp(a, b, 3);
    assert((order == 0) == (a[1] == b[1]));
    assert((order < 0) == (a[1] < b[1]));
    assert(memcmp(a, b, 1) == 0 && memcmp(a, b, 0) == 0);
    return 0;
}
