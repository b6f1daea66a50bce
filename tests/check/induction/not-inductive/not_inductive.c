#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    unsigned x = 0, y = 0;
    while (1) {
        if (__VERIFIER_nondet_bool())
            y += 2;
        if (__VERIFIER_nondet_bool())
            x = y;
        assert(x != 7);
    }
}
