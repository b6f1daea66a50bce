extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    int from = __VERIFIER_nondet_uchar() & 15;
    int to = __VERIFIER_nondet_uchar() & 15;
    int mask = 1 << (to - from);
    return mask == 0;
}
