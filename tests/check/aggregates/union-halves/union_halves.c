#include <assert.h>
#include <stdint.h>

extern unsigned __VERIFIER_nondet_uint(void);

union word {
    uint32_t whole;
    struct { uint16_t low, high; } half;
    uint8_t bytes[4];
};

int main(void) {
    union word w;
    w.whole = __VERIFIER_nondet_uint();
    uint32_t before = w.whole;
    assert(w.half.low == (before & 0xffff) && w.half.high == before >> 16);
    w.bytes[2] = 0xab;
    assert((w.half.high & 0xff) == 0xab && w.half.low == (before & 0xffff));
    assert(sizeof(union word) == 4);
    return 0;
}
