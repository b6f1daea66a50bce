extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    if (a < 0 || a > 1000 || b < 0 || b > 1000)
        return 0;
    return 100 / (a - b) > 1000;
}
