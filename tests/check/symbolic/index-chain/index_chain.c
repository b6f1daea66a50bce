#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static const unsigned char next[5] = {2, 4, 1, 0, 3};

int main(void) {
    unsigned char at = __VERIFIER_nondet_uchar() % 5, start = at;
    int steps = 0;
    do {
        at = next[at];
        steps++;
    } while (at != start);
    assert(steps == 5);
    return 0;
}
