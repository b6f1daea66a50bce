#include <assert.h>
#include <string.h>

int main(void) {
    char to[5];
    strncpy(to, "abcdef", sizeof to);
    to[sizeof to - 1] = 0;
    unsigned long n = strlen(to);
    assert(n == 4);
    strncpy(to, "x", sizeof to);
    assert(to[0] == 'x' && to[1] == 0 && to[4] == 0);
    return n > 100;
}
