extern int __VERIFIER_nondet_int(void);

static int next(int *counter) {
    return (*counter)++;
}

int main(void) {
    int counter = __VERIFIER_nondet_int();
    if (counter < 1000000)
        return 0;
    return next(&counter) == 5;
}
