// end: exit 2
unsigned char __VERIFIER_nondet_uchar(void);

int main(void) { unsigned char c = __VERIFIER_nondet_uchar(); return c > 255 ? 1 : 2; }
