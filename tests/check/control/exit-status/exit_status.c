#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 10)
        exit(3);
    return n == 0 ? EXIT_FAILURE : 7;
}
