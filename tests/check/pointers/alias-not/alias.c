#include <assert.h>

static int cells[2];

static int set_both(int *a, int *b) {
    *a = 1;
    *b = 2;
    return *a;
}

int main(void) {
    int *p = &cells[0];
    int *q = p + 1;
    int first = set_both(p, q);
    assert(first == 1);
    return 0;
}
