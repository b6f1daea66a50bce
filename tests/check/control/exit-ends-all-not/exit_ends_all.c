#include <assert.h>
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

static int saved = 1;

static void at_exit(void) { saved = 1; }

int main(void) {
    atexit(at_exit);
    saved = 0;
    if (__VERIFIER_nondet_bool())
        _Exit(0);
    exit(0);
    assert(saved);
    return 0;
}
