#include <assert.h>

extern signed char __VERIFIER_nondet_char(void);

int main(void) {
    signed char v[4];
    for (int i = 0; i < 4; i++)
        v[i] = __VERIFIER_nondet_char();
    for (int pass = 3; pass > 0; pass--)
        for (int i = 0; i < pass; i++)
            if (v[i] > v[i + 1]) {
                signed char t = v[i];
                v[i] = v[i + 1];
                v[i + 1] = t;
            }
    assert(v[0] <= v[1] && v[1] <= v[2] && v[2] <= v[3]);
    return 0;
}
