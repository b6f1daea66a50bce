// Arithmetic of all widths, with mixed signs.
#include <stdint.h>
#include <stdio.h>

static uint64_t sum = 1469598103934665603ull;
static void mix(uint64_t value) {
    sum = (sum ^ value) * 1099511628211ull;
    sum ^= sum >> 29;
}

#define EACH(type, utype)                                                                                              \
    do {                                                                                                               \
        utype some[] = {0, 1, 2, 7, 100, (utype)-1, (utype)-2, (utype)-100, (utype)((utype)1 << (sizeof(utype) * 8 - 1))}; \
        for (unsigned i = 0; i < sizeof some / sizeof *some; i++)                                                      \
            for (unsigned j = 0; j < sizeof some / sizeof *some; j++) {                                                \
                utype a = some[i], b = some[j];                                                                        \
                mix((utype)(a + b)), mix((utype)(a - b)), mix((utype)((uint64_t)a * b));                               \
                mix(a & b), mix(a | b), mix(a ^ b), mix((utype)~a), mix(a < b), mix((type)a < (type)b);                \
                mix((type)a >= (type)b), mix(a == b), mix((uint64_t)(int64_t)(type)a);                                 \
                if (b) {                                                                                               \
                    mix(a / b), mix(a % b);                                                                            \
                    if ((type)b != -1)                                                                                 \
                        mix((uint64_t)(int64_t)((type)a / (type)b)), mix((uint64_t)(int64_t)((type)a % (type)b));      \
                }                                                                                                      \
                mix((utype)(a << (b & 7))), mix(a >> (b & 7)), mix((uint64_t)(int64_t)((type)a >> (b & 7)));           \
            }                                                                                                          \
    } while (0)

struct bits {
    unsigned a : 3;
    int b : 5;
    unsigned long c : 33;
    unsigned char d : 1;
};

int main(void) {
    EACH(int8_t, uint8_t);
    EACH(int16_t, uint16_t);
    EACH(int32_t, uint32_t);
    EACH(int64_t, uint64_t);
    unsigned __int128 wide = 0x123456789abcdefull;
    for (int i = 0; i < 20; i++) {
        wide = wide * 0x9e3779b97f4a7c15ull + i;
        mix((uint64_t)(wide >> 64)), mix((uint64_t)wide), mix((uint64_t)(wide / 1000003)), mix((uint64_t)(wide % 977));
        __int128 narrow = (__int128)wide >> 3;
        mix((uint64_t)(narrow / 77)), mix(narrow < 0), mix((uint64_t)(narrow >> 70));
    }
    struct bits bits = {0};
    for (int i = 0; i < 40; i++) {
        bits.a += i;
        bits.b = (bits.b * 3 + i) % 16;
        bits.c = bits.c * 5 + i;
        bits.d ^= i & 1;
        mix(bits.a), mix((uint64_t)bits.b), mix(bits.c), mix(bits.d);
    }
    for (int i = 1; i < 64; i++) {
        uint64_t one = sum >> (i & 15) | 1;
        mix(__builtin_popcountll(one)), mix(__builtin_clzll(one)), mix(__builtin_ctzll(one)), mix(__builtin_bswap64(one));
        mix(__builtin_bswap32((uint32_t)one)), mix(__builtin_popcount((uint32_t)one));
        int result;
        mix(__builtin_add_overflow((int)one, (int)(one >> 7), &result)), mix((uint64_t)result);
        mix(__builtin_mul_overflow((int)one, (int)(one >> 40), &result)), mix((uint64_t)result);
        mix((uint32_t)one << 5 | (uint32_t)one >> 27);
    }
    _Bool truth = sum & 4;
    mix(truth), mix(!truth);
    printf("%llx\n", (unsigned long long)sum);
    return (int)(sum & 0xff);
}
