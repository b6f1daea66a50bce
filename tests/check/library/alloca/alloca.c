#include <alloca.h>
#include <assert.h>

static int *make(int *kept, int n) {
    int *cells = 0;
    for (int i = 0; i < n; i++) {
        cells = alloca(sizeof(int) * 2);
        cells[0] = i;
        cells[1] = kept ? kept[0] : -1;
        kept = cells;
    }
    assert(cells[0] == 2 && cells[1] == 1);
    return cells;
}

int main(void) {
    return *make(0, 3) == 7;
}
