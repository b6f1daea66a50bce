#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }

static int (*const table[4])(int, int) = {add, subtract, 0, add};

int main(void) {
    unsigned op = __VERIFIER_nondet_uchar() & 3;
    int result = table[op](7, 5);
    assert(result == 12 || result == 2 || result == 35);
    return 0;
}
