#include <assert.h>
#include <string.h>

struct header { short kind, length; int sum; };

int main(void) {
    struct header from = {1, 2, 3};
    unsigned char to[16];
    memcpy(to, &from, sizeof from);
    assert(to[0] == 1 && to[2] == 2 && to[4] == 3);
    struct header again;
    memcpy(&again, to, sizeof again);
    assert(again.length == 2);
    return 0;
}
