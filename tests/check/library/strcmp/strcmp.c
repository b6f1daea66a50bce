#include <assert.h>
#include <string.h>

extern char __VERIFIER_nondet_char(void);

int main(void) {
    char a[3] = "ab", b[3] = "ab";
    b[1] = __VERIFIER_nondet_char();
    int order = strcmp(a, b);
    assert((order == 0) == (b[1] == 'b'));
    if (b[1] == 0)
        assert(order > 0 && strlen(b) == 1);
    assert(strncmp(a, b, 1) == 0);
    assert(strcmp("", "") == 0 && strcmp("a", "b") < 0 && strcmp("abc", "ab") > 0);
    return 0;
}
