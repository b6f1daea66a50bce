#include <assert.h>
#include <string.h>

int main(void) {
    char to[5];
    strncpy(to, "abcdef", sizeof to);
    unsigned long n = strlen(to);
    strncpy(to, "x", sizeof to);
    assert(to[0] == 'x' && to[1] == 0 && to[4] == 0);
    return n > 100;
}
