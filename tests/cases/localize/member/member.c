#include <assert.h>

static int table[3] = {1, 2, 4};

int main(void) {
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += table[i];
    assert(sum == 6);
    return 0;
}
