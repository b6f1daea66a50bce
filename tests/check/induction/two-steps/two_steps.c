#include <assert.h>

int main(void) {
    unsigned a = 1, b = 0, c = 0;
    while (1) {
        assert(a <= 1);
        unsigned t = a;
        a = b;
        b = c;
        c = t;
        if (b > 1 || c > 1)
            b = c = 0;
    }
}
