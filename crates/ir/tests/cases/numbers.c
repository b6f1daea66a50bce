// Integers of many widths and floats.
int shifts(int a, unsigned b, long c) { return (a << 3) + (b >> 2) + (c >> 1) + a / 3 + b % 7; }
_BitInt(37) odd(_BitInt(37) x) { return x * 3 - 1; }
unsigned __int128 wide(unsigned __int128 x) { return x + ((unsigned __int128)5 << 70); }
double mixed(float f, double d, int i, unsigned long u) { return -f * d + i / 2.0 - u; }
int whole(double d) { return d; }
int compare(double a, double b) { return (a < b) + (a != b) + (a >= b) + __builtin_isunordered(a, b); }
long double moved(long double x) { return x; }
_Float16 half(_Float16 h) { return h; }
typedef int four __attribute__((vector_size(16)));
four vectors(four v, int i) {
    v[i] = v[1];
    return v + (four){1, 2, 3, 4};
}
struct flags {
    unsigned a : 5;
    int b : 12;
};
void set(struct flags *f, int x) { f->b = x; }
