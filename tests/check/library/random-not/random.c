#include <assert.h>
#include <stdlib.h>

int main(void) {
    srand(1);
    int a = rand(), b = rand();
    assert(a >= 0 && b >= 0 && a <= RAND_MAX);
    return 0;
}
