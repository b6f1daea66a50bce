#include <assert.h>
#include <stdlib.h>

int main(void) {
    int *p = malloc(4 * sizeof(int));
    if (!p)
        return 0;
    assert(p[2] == 0);
    free(p);
    return 0;
}
