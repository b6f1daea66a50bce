#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    char small[16];
    unsigned n = __VERIFIER_nondet_uchar();
    char *area = n <= sizeof small ? small : malloc(n);
    if (!area)
        return 0;
    area[0] = 'x';
    if (area != small)
        free(area);
    return 0;
}
