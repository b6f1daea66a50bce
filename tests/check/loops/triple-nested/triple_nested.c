#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    int wanted = __VERIFIER_nondet_uchar() % 4 * 8 + 7, found = 0;
    for (int a = 0; a < 6; a++)
        for (int b = a; b < 6; b++)
            for (int c = b; c < 6; c++)
                if (a * a + b * b + c * c == wanted)
                    found = 1;
    assert(!found);
    return 0;
}
