#include <assert.h>

/* What it must give for 0, 1, 2, 3 is 2, 0, 0, 2: t² - 3t + 2. */
static const int square = 1;
static const int linear = -2;
static const int fixed = 2;

static int controlled(int t) {
    int output = square * t * t + linear * t + fixed;
    return output;
}

int main(void) {
    /* All at once: it is one assertion. */
    assert(controlled(0) == 2 && controlled(1) == 0 && controlled(2) == 0 && controlled(3) == 2);
    return 0;
}
