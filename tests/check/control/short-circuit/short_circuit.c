extern unsigned __VERIFIER_nondet_uint(void);

static const int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};

int main(void) {
    unsigned i = __VERIFIER_nondet_uint();
    if ((i < 8) & (table[i % 16] > 4))
        return i < 4;
    return 0;
}
