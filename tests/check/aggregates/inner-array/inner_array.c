#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

struct frame { char name[4]; int limit; };

static struct frame f = {"abc", 100};

int main(void) {
    volatile unsigned i = __VERIFIER_nondet_uchar() & 7;
    char *p = (char *)&f;
    p[i] = 1;
    assert(f.limit == 100);
    return 0;
}
