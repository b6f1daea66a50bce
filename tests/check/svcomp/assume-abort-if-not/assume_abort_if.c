extern void abort(void);
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

void assume_abort_if_not(int cond) {
    if (!cond) { abort(); }
}

int main() {
    int x = __VERIFIER_nondet_int();
    assume_abort_if_not(x > 0 && x < 100);
    if (x * x > 10000)
        reach_error();
    return 0;
}
