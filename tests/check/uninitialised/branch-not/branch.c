extern int __VERIFIER_nondet_int(void);

int main(void) {
    int state;
    int n = __VERIFIER_nondet_int();
    if (n > 10)
        state = 1;
    else
        state = 0;
    if (state)
        return 0;
    return 0;
}
