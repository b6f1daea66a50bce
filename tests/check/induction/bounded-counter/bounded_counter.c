#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned at = 0;
    while (1) {
        unsigned step = __VERIFIER_nondet_uchar() % 4;
        at = at + step == 10 ? 0 : at + step;
        assert(at < 10);
    }
}
