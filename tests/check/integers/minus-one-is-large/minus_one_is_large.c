#include <assert.h>
#include <stddef.h>

extern char __VERIFIER_nondet_char(void);

static int find(const char *text, char wanted) {
    for (int i = 0; text[i]; i++)
        if (text[i] == wanted)
            return i;
    return -1;
}

int main(void) {
    size_t at = find("abcd", __VERIFIER_nondet_char());
    assert(at < 4);
    return 0;
}
