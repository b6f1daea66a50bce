#include <assert.h>
#include <string.h>

int main(void) {
    int cells[4];
    memset(cells, 1, sizeof cells);
    assert(cells[3] == 1);
    return 0;
}
