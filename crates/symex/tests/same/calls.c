// Recursion, variadic functions, function pointers, static variables, switch, goto.
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t sum = 3;
static void mix(uint64_t value) { sum = (sum ^ value) * 1099511628211ull, sum ^= sum >> 31; }

static int ackermann(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }
static int even(unsigned n);
static int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }
static int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
struct pair { long a, b; };
struct heavy { long cells[6]; };
struct mixed { double d; int i; };

static long total(const char *kinds, ...) {
    va_list list, again;
    va_start(list, kinds);
    va_copy(again, list);
    long result = 0;
    for (const char *kind = kinds; *kind; kind++)
        switch (*kind) {
        case 'i': result = result * 3 + va_arg(list, int); break;
        case 'l': result = result * 5 + va_arg(list, long); break;
        case 'd': result = result * 7 + (long)(va_arg(list, double) * 4); break;
        case 's': result += *va_arg(list, const char *); break;
        case 'p': { struct pair p = va_arg(list, struct pair); result += p.a * 2 + p.b; break; }
        case 'h': { struct heavy h = va_arg(list, struct heavy); result += h.cells[5] * 2 + h.cells[0]; break; }
        case 'm': { struct mixed m = va_arg(list, struct mixed); result += (long)m.d * 2 + m.i; break; }
        }
    if (*kinds == 'i')
        result ^= va_arg(again, int);
    va_end(again);
    va_end(list);
    return result;
}
static int text(char *buffer, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int count = vsprintf(buffer, format, list);
    va_end(list);
    return count;
}
static int counter(void) { static int count = 10; return count++; }
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int classify(int value) {
    switch (value) {
    case -1: return 5;
    case 0: case 1: case 2: return 6;
    case 100: value += 3; /* falls through */
    case 101: return value;
    case 0x7fffffff: return 8;
    default: return value > 50 ? 9 : 10;
    }
}
static int visits;
static void at_end(void) { visits++; }

int main(int argc, char **argv) {
    mix(argc), mix(argv[argc] == NULL);
    mix(ackermann(2, 3)), mix(even(31)), mix(odd(31));
    struct pair pair = {11, 22};
    struct heavy heavy = {{1, 2, 3, 4, 5, 6}};
    struct mixed mixed = {2.5, 4};
    mix(total("iiiiiiii", 1, 2, 3, 4, 5, 6, 7, -8)), mix(total("ildsi", 1, 2L, 2.5, "x", 9));
    mix(total("dddddddddd", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10.)), mix(total("pipimh", pair, 3, pair, 4, mixed, heavy));
    mix(total("llhlpl", 1L, 2L, heavy, 3L, pair, 4L));
    char buffer[60];
    mix(text(buffer, "%d %s %.1f %c %ld %d %d %d", 1, "two", 3.5, '4', 5L, 6, 7, 8));
    for (char *at = buffer; *at; at++)
        mix(*at);
    for (int i = 0; i < 5; i++)
        mix(counter());
    int some[] = {5, -3, 9, 0, 2, 2, -7};
    qsort(some, 7, sizeof *some, compare);
    for (int i = 0; i < 7; i++)
        mix(some[i]);
    int wanted = 9;
    mix((int *)bsearch(&wanted, some, 7, sizeof *some, compare) - some);
    int values[] = {-1, 0, 2, 3, 60, 100, 101, 0x7fffffff};
    for (int i = 0; i < 8; i++)
        mix(classify(values[i]));
    int i = 0;
again:
    if (i++ < 5)
        goto again;
    mix(i), mix(abs(-4)), mix(labs(-5L));
    int x = i > 3 && sum ? 1 : 2, y = (x++, x);
    mix(x || ++y), mix(y);
    do {
        if (x == 7) continue;
        if (x > 9) break;
        mix(x);
    } while (x++ < 20);
    atexit(at_end);
    printf("%llx\n", (unsigned long long)sum);
    exit((int)(sum & 0xff));
}
