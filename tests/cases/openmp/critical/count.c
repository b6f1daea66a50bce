/* A parallel region of two threads, which OpenMP gets here unless told otherwise. */
#include <assert.h>

static int x;

int main(void) {
#pragma omp parallel
    {
#pragma omp critical
        x = x + 1;
    }
    assert(x == 2);
    return 0;
}
