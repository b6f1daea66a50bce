#include <assert.h>

int main(void) {
    double a = 0.1, b = 0.2, c = 0.3;
    double gap = a + b - c;
    assert(gap > -1e-15 && gap < 1e-15);
    assert(0.125 + 0.25 == 0.375);
    return 0;
}
