extern void abort(void);
extern void *malloc(unsigned long);
extern void __assert_fail(const char *, const char *, unsigned int, const char *)
    __attribute__((__noreturn__));
void reach_error() { __assert_fail("0", "unreach_call.c", 4, "reach_error"); }
extern unsigned int __VERIFIER_nondet_uint(void);
void __VERIFIER_assert(int cond) {
    if (!(cond)) {
    ERROR: { reach_error(); abort(); }
    }
}
static unsigned table[4];
int main() {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned m = __VERIFIER_nondet_uint();
    table[2] = (unsigned)(unsigned long)malloc(m & 63);
    if (n > 10 && m)
        __VERIFIER_assert(n - 10 != 0);
    return 0;
}
