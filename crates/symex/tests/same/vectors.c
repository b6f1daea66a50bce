// Vectors, complex shuffles, selections, wide bit-fields and initialisers.
#include <stdint.h>
#include <stdio.h>

typedef int v4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
static uint64_t sum = 11;
static void mix(uint64_t value) { sum = (sum ^ value) * 1099511628211ull, sum ^= sum >> 31; }

int main(void) {
    v4 a = {1, -2, 3, 4}, b = {10, 20, -30, 40};
    v4 c = a * b + (a ^ b), d = a < b, e = __builtin_shufflevector(a, b, 3, 4, 0, 7);
    f4 f = {1.5f, 2.5f, -3.5f, 4.f}, g = f * f - f / 2.f;
    for (int i = 0; i < 4; i++)
        mix(c[i]), mix(d[i]), mix(e[i]), mix((uint64_t)(int64_t)(g[i] * 8));
    a[2] = 77;
    mix((a + 1)[2]), mix((a << 2)[1]);
    int i = (int)(sum & 3);
    mix(a[i]);
    uint8_t small[] = {[3] = 9, [7] = 8};
    for (unsigned k = 0; k < sizeof small; k++)
        mix(small[k]);
    printf("%llx\n", (unsigned long long)sum);
    return (int)(sum & 0xff);
}
