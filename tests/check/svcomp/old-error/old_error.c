extern void __VERIFIER_error() __attribute__((__noreturn__));
extern int __VERIFIER_nondet_int();

int sign(int x) {
    if (x > 0)
        return 1;
    return x == 0 ? 0 : -1;
}

int main() {
    int x = __VERIFIER_nondet_int();
    if (sign(x) * sign(x) != sign(x))
        __VERIFIER_error();
    return 0;
}
