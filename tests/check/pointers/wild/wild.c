#include <assert.h>
#include <stdint.h>

static int object = 7;

int main(void) {
    uintptr_t address = 0xdead0000;
    int *p = (int *)address;
    assert(*p == 7);
    return 0;
}
