extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned buckets = n | 1;
    unsigned slot = 12345 % buckets;
    return slot > 12345;
}
