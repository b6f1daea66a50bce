#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned count = __VERIFIER_nondet_uint();
    if (count < 2 || count > 0x40000002u)
        return 0;
    if (count > 4 && count != 0x40000001u)
        return 0;
    int *cells = malloc(count * sizeof(int));
    if (!cells)
        return 0;
    cells[1] = 5;
    free(cells);
    return 0;
}
