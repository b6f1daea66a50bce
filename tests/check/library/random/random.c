#include <assert.h>
#include <stdlib.h>

int main(void) {
    srand(1);
    int a = rand(), b = rand();
    assert(a + b < 0 || a % 100 != 7 || b % 100 != 8);
    return 0;
}
