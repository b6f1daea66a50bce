// What the language has no meaning for is named where it stands.
static int real(void) { return 1; }
static int (*resolve(void))(void) { return real; }
int chosen(void) __attribute__((ifunc("resolve")));
int call_chosen(void) { return chosen(); }
int jumping(int x) {
    __asm__ goto("test %0, %0; jz %l1" : : "r"(x) : : zero);
    return 1;
zero:
    return 0;
}
int segment(__attribute__((address_space(257))) int *p) { return *p; }
__float128 quad(__float128 x) { return x + x; }
_BitInt(200) huge(void) { return -1; }
typedef _Bool mask __attribute__((ext_vector_type(4)));
mask kept;
mask packed(void) { return kept; }
