#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);

static int open_files, locks;

static int work(void) {
    int result = -1;
    locks++;
    if (!__VERIFIER_nondet_bool())
        goto close;
    open_files++;
    result = 0;
close:
    open_files--;
    locks--;
    return result;
}

int main(void) {
    int result = work();
    assert(locks == 0);
    assert(open_files == 0);
    return result > 0;
}
