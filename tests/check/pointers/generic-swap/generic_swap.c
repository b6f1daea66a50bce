#include <assert.h>
#include <string.h>

struct wide { long a, b, c; };

static void swap(void *x, void *y, unsigned long size) {
    unsigned char kept[64];
    memcpy(kept, x, size);
    memcpy(x, y, size);
    memcpy(y, kept, size);
}

int main(void) {
    struct wide one = {1, 2, 3}, two = {4, 5, 6};
    struct wide *p = &one, *q = &two;
    swap(p, q, sizeof(p));
    assert(one.a == 4 && two.a == 1);
    assert(one.c == 6 && two.b == 2);
    return 0;
}
