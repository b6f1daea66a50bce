#include <assert.h>
#include <string.h>

int main(void) {
    int cells[4];
    memset(cells, 0, sizeof cells);
    assert(cells[3] == 0);
    memset(cells + 1, -1, 2 * sizeof cells[0]);
    assert(cells[0] == 0 && cells[1] == -1 && cells[2] == -1 && cells[3] == 0);
    return 0;
}
