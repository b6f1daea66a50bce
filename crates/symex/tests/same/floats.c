// Floats, bit by bit.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t sum = 7;
static void mix(uint64_t value) { sum = (sum ^ value) * 1099511628211ull, sum ^= sum >> 31; }
static void mixd(double value) {
    uint64_t bits;
    if (value != value) {
        mix(1);
        return;
    }
    memcpy(&bits, &value, 8);
    mix(bits);
}
static void mixf(float value) { mixd(value); }

int main(void) {
    double some[] = {0.0, -0.0, 1.0, -1.5, 3.141592653589793, 1e300, -1e-300, 5e-324, 123456789.25, INFINITY, -INFINITY, NAN};
    int count = sizeof some / sizeof *some;
    for (int i = 0; i < count; i++) {
        mixd(sqrt(fabs(some[i]))), mixd(floor(some[i])), mixd(ceil(some[i])), mixd(trunc(some[i])), mixd(round(some[i]));
        mixd(rint(some[i])), mix(isnan(some[i]) != 0), mix(isinf(some[i]) != 0), mix(signbit(some[i]) != 0);
        mix(isfinite(some[i]) != 0), mix(isnormal(some[i]) != 0);
        mixf((float)some[i]);
        if (fabs(some[i]) < 1e9)
            mix((uint64_t)(int64_t)some[i]), mix((uint64_t)(int)(some[i])), mix((unsigned)fabs(some[i]));
        for (int j = 0; j < count; j++) {
            mixd(some[i] + some[j]), mixd(some[i] - some[j]), mixd(some[i] * some[j]), mixd(some[i] / some[j]);
            mix(some[i] < some[j]), mix(some[i] <= some[j]), mix(some[i] == some[j]), mix(some[i] != some[j]);
            mix(some[i] > some[j]), mix(!(some[i] >= some[j]));
            mixd(fmin(some[i], some[j])), mixd(fmax(some[i], some[j])), mixd(fmod(some[i], some[j]));
            mixd(copysign(some[i], some[j]));
            float a = (float)some[i], b = (float)some[j];
            mixf(a + b), mixf(a * b), mixf(a / b), mixf(a - b), mix(a < b);
            mixd(a * 2.0 + b);
        }
    }
    for (int i = -40; i < 40; i++) {
        mixd(i * 0.1), mixf(i / 3.0f), mixd((double)(uint64_t)i), mixf((float)(i * 1000003L));
        mixd((double)(int64_t)(i * 0x123456789abLL));
    }
    double x = 2;
    for (int i = 0; i < 20; i++)
        x = 0.5 * (x + 2 / x);
    mixd(x);
    mixd(-x);
    printf("%llx %.3f %g %e\n", (unsigned long long)sum, x, 1e10 / 3, 12345.678);
    return (int)(sum & 0xff);
}
