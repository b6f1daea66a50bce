#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static void clear(char *area, unsigned length) {
    memset(area, 0, length);
}

int main(void) {
    char area[16];
    unsigned length = __VERIFIER_nondet_uchar();
    if (length > sizeof area)
        length = sizeof area;
    clear(area, length);
    return 0;
}
