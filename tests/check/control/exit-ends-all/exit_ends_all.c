#include <assert.h>
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

static int saved = 1;

static void at_exit(void) { assert(saved); }

int main(void) {
    atexit(at_exit);
    saved = 0;
    if (__VERIFIER_nondet_bool())
        _Exit(0);
    return 0;
}
