extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned places = __VERIFIER_nondet_uint();
    if (places > 32)
        return 0;
    unsigned bit = 1u << places;
    return bit == 3;
}
