#include <assert.h>

extern unsigned long long __VERIFIER_nondet_ulonglong(void);

static int object = 9;

int main(void) {
    unsigned word = (unsigned)&object;
    int *p = (int *)word;
    assert(*p == 9 && sizeof word == sizeof p);
    return 0;
}
