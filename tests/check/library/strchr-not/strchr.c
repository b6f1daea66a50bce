#include <assert.h>
#include <string.h>

extern char __VERIFIER_nondet_char(void);

int main(void) {
    char line[] = "key=value";
    char *at = strchr(line, __VERIFIER_nondet_char());
    if (!at)
        return 0;
    *at = 0;
    assert(strlen(line) == (unsigned long)(at - line));
    return 0;
}
