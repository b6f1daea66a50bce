// end: exit 0
#include <assert.h>
#include <stdarg.h>
int __VERIFIER_nondet_int(void);

int f(int n, ...) { va_list l; va_start(l, n); int s = 0; while (n--) s ^= va_arg(l, int); va_end(l); return s; }
int main(void) { int x = __VERIFIER_nondet_int(); assert(f(3, x, 5, x) == 5); return 0; }
