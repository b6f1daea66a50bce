#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct value {
    enum { NUMBER, REAL } tag;
    union { int number; float real; } as;
};

static struct value make(int n) {
    struct value v;
    if (n % 2) {
        v.tag = REAL;
        v.as.real = 0.5f;
    } else {
        v.tag = NUMBER;
        v.as.number = 1;
    }
    return v;
}

int main(void) {
    struct value v = make(__VERIFIER_nondet_int());
    int n = v.tag == NUMBER ? v.as.number : (int)(v.as.real * 2);
    assert(n == 1);
    return 0;
}
