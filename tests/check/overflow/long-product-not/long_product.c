extern int __VERIFIER_nondet_int(void);

int main(void) {
    int seconds = __VERIFIER_nondet_int();
    if (seconds < 0 || seconds > 50000)
        return 0;
    long long nanoseconds = (long long)seconds * 1000000;
    return nanoseconds == 1;
}
