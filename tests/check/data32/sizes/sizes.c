#include <assert.h>
#include <limits.h>
#include <stddef.h>

struct mixed { char c; long long l; void *p; };

int main(void) {
    assert(sizeof(long) == 4 && sizeof(void *) == 4 && sizeof(size_t) == 4);
    assert(sizeof(long long) == 8 && sizeof(double) == 8 && LONG_MAX == 2147483647L);
    assert(offsetof(struct mixed, l) == 4 && sizeof(struct mixed) == 16);
    return 0;
}
