#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char v[6], sum = 0, again = 0;
    for (int i = 0; i < 6; i++)
        sum += v[i] = __VERIFIER_nondet_uchar();
    for (int i = 5; i >= 0; i--)
        again += v[i];
    assert(sum == again);
    return 0;
}
