extern _Bool __VERIFIER_nondet_bool(void);

static int target;
static int other;

int main(void) {
    int *p;
    if (__VERIFIER_nondet_bool())
        p = &target;
    else
        p = &other;
    *p = 1;
    return 0;
}
