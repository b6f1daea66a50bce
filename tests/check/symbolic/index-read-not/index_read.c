#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static const short table[8] = {1, 4, 9, 16, 25, 35, 49, 64};

int main(void) {
    unsigned i = __VERIFIER_nondet_uchar();
    if (i < 8)
        assert(i == 0 || table[i] > table[i - 1]);
    return 0;
}
