extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    int outer = 1;
    int *p = &outer;
    if (__VERIFIER_nondet_bool()) {
        int inner = 2;
        p = &inner;
        outer = *p;
        p = &outer;
    }
    return *p > 2;
}
