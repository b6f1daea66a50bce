#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

static long *cache;

static void forget(long *p) {
    free(p);
}

int main(void) {
    long *p = calloc(1, sizeof *p);
    if (!p)
        return 0;
    cache = p;
    if (__VERIFIER_nondet_bool())
        forget(p);
    if (cache)
        *cache = 1;
    if (cache)
        forget(cache);
    return 0;
}
