extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n >= 64)
        return 0;
    unsigned long bit = 1 << n;
    return bit == 3;
}
