extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char rounds = __VERIFIER_nondet_uchar();
    if (rounds > 30)
        return 0;
    int size = 1;
    for (int i = 0; i < rounds && size < 1 << 20; i++)
        size += size;
    return size == 3;
}
