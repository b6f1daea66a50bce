extern signed char __VERIFIER_nondet_char(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    signed char c = __VERIFIER_nondet_char();
    c++;
    c += c;
    short s = (short)(c * 300);
    s -= 30000;
    unsigned u = __VERIFIER_nondet_uint();
    u = u * u - 1;
    unsigned long l = u;
    l = l * l * l;
    return l == 2 && u == 3 && s == c;
}
