extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 100000)
        return 0;
    long product = (long)n * n;
    return product == 3;
}
