#include <assert.h>

static int limit(void) {
    return 3;
}

int main(void) {
    int sum = 0;
    for (int i = 0; i < limit(); i++)
        sum += 2;
    assert(sum == 8);
    return 0;
}
