#include <assert.h>

int main(void) {
    double a = 0.1, b = 0.2, c = 0.3;
    assert(a + b == c);
    return 0;
}
