/* A parallel region whose threads race. */
#include <assert.h>

static int x;

int main(void) {
#pragma omp parallel
    {
        x = x + 1;
    }
    assert(x == 2);
    return 0;
}
