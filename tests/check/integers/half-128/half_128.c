#include <assert.h>

extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void) {
    unsigned long a = __VERIFIER_nondet_ulong();
    unsigned __int128 exact = a;
    exact += 3;
    a += 3;
    assert(exact == a);
    return 0;
}
