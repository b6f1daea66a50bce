#include <assert.h>
#include <stddef.h>

struct loose { char c; long l; char d; };
struct tight { char c; long l; char d; } __attribute__((packed));
struct aligned { _Alignas(32) char c; };

int main(void) {
    assert(sizeof(struct loose) == 24 && offsetof(struct loose, d) == 16);
    assert(sizeof(struct tight) == 10 && offsetof(struct tight, d) == 9);
    assert(sizeof(struct aligned) == 32);
    struct tight t = {1, 0x1122334455667788L, 2};
    assert(t.l == 0x1122334455667788L && *((char *)&t + 1) == (char)0x88);
    struct aligned a[2];
    assert((unsigned long)&a[1] % 32 == 0);
    return 0;
}
