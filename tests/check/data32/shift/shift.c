extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned long one = 1;
    unsigned n = __VERIFIER_nondet_uchar() & 63;
    unsigned long bit = one << n;
    return bit == 3;
}
