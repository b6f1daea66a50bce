extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    static int cells[16];
    int i = __VERIFIER_nondet_uchar() & 15;
    int *p = cells + i;
    long back = p - cells;
    p -= back;
    p += 15;
    return *p + cells[i] + (int)back > 16;
}
