#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);

static int state;
static void push(int n) { state += n; }
static void pop(int n) { state -= n > 2 ? 2 : n; }

int main(void) {
    int n = __VERIFIER_nondet_uchar() % 5;
    void (*action)(int) = __VERIFIER_nondet_bool() ? push : pop;
    push(n);
    action(n);
    pop(n);
    assert(state <= n);
    return 0;
}
