#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static int grid[3][5];

int main(void) {
    int (*row)[5] = grid;
    unsigned r = __VERIFIER_nondet_uchar() % 3, c = __VERIFIER_nondet_uchar() % 5;
    row += r;
    (*row)[c] = 9;
    assert(grid[r][c] == 9);
    assert(*(&grid[0][0] + 5 * r + c) == 9);
    assert((char *)row - (char *)grid == 20 * (int)r);
    return 0;
}
