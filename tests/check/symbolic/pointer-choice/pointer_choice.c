#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static int a, b, c;

int main(void) {
    int *all[] = {&a, &b, &c};
    int *p = all[__VERIFIER_nondet_uchar() % 3];
    *p = 1;
    assert(b == 0);
    return 0;
}
