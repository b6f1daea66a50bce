#include <assert.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    char text[9] = "01234567";
    unsigned by = __VERIFIER_nondet_uchar() % 3 + 1;
    memmove(text + by, text, 8 - by);
    assert(text[by] == '0' && text[7] == (char)('7' - by));
    memmove(text, text + by, 8 - by);
    assert(text[0] == '0' && text[7 - by] == (char)('7' - by));
    return 0;
}
