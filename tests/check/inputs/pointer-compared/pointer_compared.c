#include <assert.h>

extern void *__VERIFIER_nondet_pointer(void);

static int object = 4;

int main(void) {
    int *p = __VERIFIER_nondet_pointer();
    if (p == &object)
        assert(*p == 4);
    return 0;
}
