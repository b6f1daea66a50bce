// Initialisers: what lies where, and what only the linker knows.
struct bits {
    int a : 3;
    unsigned b : 7;
    char c;
    long d[3];
};
struct bits bits = {-1, 2, 'x', {1, 2}};
union number {
    int whole;
    double real;
} number = {.real = 1.5};
struct __attribute__((packed)) packed {
    char tag;
    int value;
} packed = {1, 2};
struct table {
    const char *name;
    int (*run)(int);
} table[2];
int *inside = &(int[4]){1, 2, 3, 4}[2];
long *third = &bits.d[2];
char text[8] = "four";
_Thread_local int own = 5;
extern int elsewhere;
int *other = &elsewhere;
__int128 wide = (__int128)1 << 100;
long double extended = 1.5L;
float single = -2.0f;
_Bool truth = 1;
unsigned long address = (unsigned long)&text + 1;
static int same(int x) { return x; }
struct table filled[2] = {{"same", same}, {0, same}};
int again(int) __attribute__((alias("target")));
int target(int x) { return again(x); }
int counter(void) {
    static int count;
    return count++;
}
