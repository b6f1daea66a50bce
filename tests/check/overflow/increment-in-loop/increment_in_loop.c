extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char rounds = __VERIFIER_nondet_uchar();
    if (rounds > 40)
        return 0;
    int size = 1;
    for (int i = 0; i < rounds; i++)
        size += size;
    return size == 3;
}
