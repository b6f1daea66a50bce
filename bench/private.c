/* Memory that one thread owns: what a hook costs. Sizes 1, 2, 4 and 8, reads and writes. */
#include <stdint.h>
#include <stdlib.h>

#define N 4096

int main(int argc, char **argv) {
    long rounds = argc > 1 ? atol(argv[1]) : 2000;
    uint8_t *a = calloc(N, 1);
    uint16_t *b = calloc(N, 2);
    uint32_t *c = calloc(N, 4);
    uint64_t *d = calloc(N, 8);
    for (long round = 0; round < rounds; round++)
        for (int i = 0; i < N; i++) {
            a[i] = (uint8_t)(a[i] + round);
            b[i] = (uint16_t)(b[i] + a[i]);
            c[i] += b[i];
            d[i] += c[i];
        }
    uint64_t sum = 0;
    for (int i = 0; i < N; i++)
        sum += d[i];
    free(a), free(b), free(c), free(d);
    return sum == 1;
}
