/* __VERIFIER_nondet_int: a quarter of all values is bad.
 * The drawn value is repeated by a replay. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < -1 || (n & 1))
        return 0;
    if (n != 0)
        reach_error();
    return 0;
}
