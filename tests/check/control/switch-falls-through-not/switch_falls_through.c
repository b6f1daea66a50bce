#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

static int days(unsigned month) {
    int n = 0;
    switch (month) {
    case 2:
        n = 28;
        break;
    default:
        n = 31;
        break;
    case 4: case 6: case 9: case 11:
        n = 30;
    }
    return n;
}

int main(void) {
    unsigned month = __VERIFIER_nondet_uint();
    if (month == 2)
        assert(days(month) == 28);
    if (month == 9)
        assert(days(month) == 30);
    return 0;
}
