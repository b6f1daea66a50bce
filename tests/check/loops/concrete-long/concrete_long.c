#include <assert.h>

int main(void) {
    unsigned state = 1, ones = 0;
    for (int i = 0; i < 10000; i++) {
        state = state * 1103515245u + 12345u;
        ones += state >> 31;
    }
    assert(ones > 4000 && ones < 6000);
    return 0;
}
