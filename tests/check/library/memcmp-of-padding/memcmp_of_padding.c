#include <assert.h>
#include <string.h>

struct mixed { char c; int n; };

int main(void) {
    struct mixed a, b;
    memset(&a, 0xff, sizeof a);
    memset(&b, 0, sizeof b);
    a.c = b.c = 'x';
    a.n = b.n = 5;
    assert(memcmp(&a, &b, sizeof a) == 0);
    return 0;
}
