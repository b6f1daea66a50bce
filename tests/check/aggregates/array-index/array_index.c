extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    int table[10] = {0};
    unsigned i = __VERIFIER_nondet_uint();
    if (i <= sizeof table / sizeof table[0])
        table[i] = 1;
    return 0;
}
