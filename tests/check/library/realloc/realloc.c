#include <assert.h>
#include <stdlib.h>

int main(void) {
    int *small = malloc(2 * sizeof *small);
    if (!small)
        return 0;
    small[0] = 5;
    small[1] = 6;
    int *large = realloc(small, 100 * sizeof *large);
    if (!large)
        return 0;
    assert(small[1] == 6);
    large[99] = 1;
    free(large);
    return 0;
}
