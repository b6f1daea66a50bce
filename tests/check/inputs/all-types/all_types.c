#include <assert.h>
#include <limits.h>
#include <stddef.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern long long __VERIFIER_nondet_longlong(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern size_t __VERIFIER_nondet_size_t(void);

int main(void) {
    int b = __VERIFIER_nondet_bool(), c = __VERIFIER_nondet_char();
    assert((b == 0 || b == 1) && c >= CHAR_MIN && c <= CHAR_MAX);
    int uc = __VERIFIER_nondet_uchar(), s = __VERIFIER_nondet_short(), us = __VERIFIER_nondet_ushort();
    assert(uc >= 0 && uc <= 255 && s >= -32768 && s <= 32767 && us >= 0 && us <= 65535);
    long i = __VERIFIER_nondet_int(), u = __VERIFIER_nondet_uint();
    assert(i >= INT_MIN && i <= INT_MAX && u >= 0 && u <= UINT_MAX);
    long l = __VERIFIER_nondet_long();
    unsigned long ul = __VERIFIER_nondet_ulong(), z = __VERIFIER_nondet_size_t();
    assert((l < 0) == ((unsigned long)l > LONG_MAX) && ul + 1 != ul && (z >> 63) <= 1);
    long long ll = __VERIFIER_nondet_longlong();
    unsigned long long ull = __VERIFIER_nondet_ulonglong();
    assert((ll ^ ll) == 0 && ull * 2 % 2 == 0);
    return 0;
}
