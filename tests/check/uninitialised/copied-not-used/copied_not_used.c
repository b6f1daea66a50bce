#include <string.h>

struct mixed { char c; int n; };

int main(void) {
    struct mixed a, b;
    a.n = 3;
    b = a;
    char bytes[sizeof a];
    memcpy(bytes, &b, sizeof b);
    memcpy(&a, bytes, sizeof a);
    return a.n == 3 ? 0 : 1;
}
