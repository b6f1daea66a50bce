#include <stdlib.h>

int main(void) {
    int n = 6;
    int *cells = malloc(n * sizeof *cells);
    if (!cells)
        return 0;
    cells[0] = 1;
    cells[1] = 2;
    free(cells);
    return 0;
}
