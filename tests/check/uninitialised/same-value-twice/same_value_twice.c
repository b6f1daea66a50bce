#include <assert.h>

int main(void) {
    unsigned x;
    unsigned *p = &x;
    unsigned a = *p;
    unsigned b = *p;
    assert(a == b);
    assert((a & 1) + (b & 1) != 1);
    return 0;
}
