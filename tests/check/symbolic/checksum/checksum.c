#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned char checksum(const unsigned char *m) {
    unsigned char sum = 0;
    for (int i = 0; i < 3; i++)
        sum = (unsigned char)(sum + m[i]) ^ 0x5a;
    return sum;
}

int main(void) {
    unsigned char a[3], b[3];
    for (int i = 0; i < 3; i++)
        a[i] = __VERIFIER_nondet_uchar();
    for (int i = 0; i < 3; i++)
        b[i] = __VERIFIER_nondet_uchar();
    if (checksum(a) == checksum(b))
        assert(a[0] == b[0] && a[1] == b[1] && a[2] == b[2]);
    return 0;
}
