extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static char small[4], large[8];

int main(void) {
    _Bool big = __VERIFIER_nondet_bool();
    char *p = big ? large : small;
    unsigned n = big ? sizeof large : sizeof small;
    unsigned i = __VERIFIER_nondet_uchar();
    if (i < n)
        p[i] = 1;
    return 0;
}
