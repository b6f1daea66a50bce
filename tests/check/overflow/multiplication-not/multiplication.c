extern unsigned short __VERIFIER_nondet_ushort(void);

int main(void) {
    unsigned short a = __VERIFIER_nondet_ushort();
    unsigned short b = __VERIFIER_nondet_ushort();
    if (a >> 15 || b >> 15)
        return 0;
    int product = a * b;
    return product == 7 ? 0 : 0;
}
