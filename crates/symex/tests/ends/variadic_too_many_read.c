// end: fails OutOfBounds
#include <stdarg.h>

int f(int n, ...) { va_list l; va_start(l, n); int s = 0; for (int i = 0; i < n; i++) s += va_arg(l, int); va_end(l); return s; }
int main(void) { return f(3, 1, 2); }
