extern _Bool __VERIFIER_nondet_bool(void);

static int target;

int main(void) {
    int *p;
    if (__VERIFIER_nondet_bool())
        p = &target;
    *p = 1;
    return 0;
}
