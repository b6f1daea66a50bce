#include <assert.h>
#include <setjmp.h>

extern int __VERIFIER_nondet_int(void);

static jmp_buf back;

static void check(int x) {
    if (x < 0)
        longjmp(back, 1);
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (setjmp(back) == 0) {
        check(x);
        assert(x >= 0);
    }
    return 0;
}
