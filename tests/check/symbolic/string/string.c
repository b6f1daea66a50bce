#include <assert.h>
#include <string.h>

extern char __VERIFIER_nondet_char(void);
extern void __VERIFIER_assume(int);

int main(void) {
    char text[5];
    for (int i = 0; i < 4; i++) {
        text[i] = __VERIFIER_nondet_char();
        __VERIFIER_assume(text[i] >= 'a' && text[i] <= 'c');
    }
    text[4] = 0;
    char turned[5];
    for (int i = 0; i < 4; i++)
        turned[i] = text[3 - i];
    turned[4] = 0;
    assert(strcmp(text, turned) != 0);
    return 0;
}
