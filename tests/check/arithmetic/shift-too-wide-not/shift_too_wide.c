extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned places = __VERIFIER_nondet_uint();
    places &= 31;
    unsigned bit = 1u << places;
    return bit == 3;
}
