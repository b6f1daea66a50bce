#include <assert.h>

extern unsigned long long __VERIFIER_nondet_ulonglong(void);

static int object = 9;

int main(void) {
    unsigned long long word = __VERIFIER_nondet_ulonglong();
    void *p = (void *)(unsigned long)word;
    assert((unsigned long)p == word);
    return 0;
}
