#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

struct flags {
    unsigned level : 3;
    unsigned ready : 1;
    signed int delta : 5;
    unsigned long long stamp : 40;
};

int main(void) {
    struct flags f = {0, 1, -16, 0xffffffffffULL};
    f.level = __VERIFIER_nondet_uint() & 7;
    unsigned wanted = f.level & 7;
    assert(f.ready == 1 && f.delta == -16 && f.stamp == 0xffffffffffULL);
    f.delta++;
    f.stamp++;
    assert(f.delta == -15 && f.stamp == 0 && f.ready == 1);
    assert((unsigned)f.level == wanted);
    return 0;
}
