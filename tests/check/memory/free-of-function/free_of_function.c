#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    void *block = malloc(1);
    void *all[3] = {NULL, block, (void *)"literal"};
    unsigned i = __VERIFIER_nondet_uchar() % 3;
    free(all[i]);
    return 0;
}
