extern long __VERIFIER_nondet_long(void);

int main(void) {
    long n = __VERIFIER_nondet_long();
    long opposite = -n;
    return opposite == 3 ? 0 : 0;
}
