#include <assert.h>

int main(void) {
    int x;
    int *p = &x;
    *p = 7;
    assert(*p != 123456);
    return 0;
}
