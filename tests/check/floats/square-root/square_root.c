#include <assert.h>
#include <math.h>

int main(void) {
    for (double n = 0; n < 16; n++) {
        assert(sqrt(n * n) == n);
        assert(fabs(-n) == n && floor(n + 0.5) == n && ceil(n - 0.5) == n);
        assert(fmin(n, 20) == n && fmax(n, 20) == 20);
    }
    assert(isnan(sqrt(-1.0)) && sqrt(2) * sqrt(2) != 2);
    return 0;
}
