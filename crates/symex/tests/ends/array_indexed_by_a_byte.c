// end: exit 0
unsigned char __VERIFIER_nondet_uchar(void);

static int table[256];
int main(void) {
    unsigned char at = __VERIFIER_nondet_uchar();
    table[at] = 5;
    return table[at] - 5;
}
