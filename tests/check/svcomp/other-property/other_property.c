extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static int cells[3];

int main(void) {
    unsigned char i = __VERIFIER_nondet_uchar();
    if (i < 3)
        cells[i] = 1;
    else
        reach_error();
    return 0;
}
