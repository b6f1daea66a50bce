#include <assert.h>

static int table[2];

int main(void) {
    for (int i = 0; i < 2; i++)
        table[i] = 5;
    assert(table[0] == 1 && table[1] == 2);
    return 0;
}
