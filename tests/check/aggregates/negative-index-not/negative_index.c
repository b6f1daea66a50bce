extern int __VERIFIER_nondet_int(void);

static char ring[5];

int main(void) {
    int at = __VERIFIER_nondet_int() % 5;
    if (at < 0)
        at += 5;
    ring[at] = 'x';
    return 0;
}
