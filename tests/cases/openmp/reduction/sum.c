/* A loop in parallel with a reduction. */
#include <assert.h>

static int a[4], sum;

int main(void) {
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 4; i++) {
        a[i] = i;
        sum += a[i];
    }
    assert(sum == 6);
    return 0;
}
