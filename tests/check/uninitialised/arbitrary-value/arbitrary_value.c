#include <assert.h>

int main(void) {
    int x;
    int *p = &x;
    assert(*p != 123456);
    return 0;
}
