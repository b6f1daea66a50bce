#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
    int v[3];
    for (int i = 0; i < 3; i++) {
        v[i] = __VERIFIER_nondet_int();
        __VERIFIER_assume(v[i] > 2 && v[i] < 100);
    }
    assert(v[0] + v[1] != v[2]);
    return 0;
}
