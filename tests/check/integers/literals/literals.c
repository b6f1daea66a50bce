#include <assert.h>
#include <limits.h>

int main(void) {
    assert(010 == 8 && 0x10 == 16 && 0b101 == 5);
    assert(sizeof(2147483647) == 4 && sizeof(2147483648) == 8);
    assert(sizeof('a') == sizeof(int) && '\377' == -1);
    assert(0xffffffff > 0 && -1 < 0u + 1 == 0);
    assert(-2147483648 < 0 && INT_MIN == -INT_MAX - 1);
    assert(sizeof(long) == 8 && sizeof(void *) == 8 && sizeof(long double) == 16);
    assert((char)0x80 < 0 && (unsigned char)0x80 > 0);
    return 0;
}
