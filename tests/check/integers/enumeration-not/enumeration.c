#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

enum color { RED, GREEN = 5, BLUE };

static const char *name(enum color c) {
    switch (c) {
    case RED: return "red";
    case GREEN: return "green";
    case BLUE: return "blue";
    }
    return 0;
}

int main(void) {
    enum color c = (enum color)__VERIFIER_nondet_uint();
    __VERIFIER_assume(c == RED || (c >= GREEN && c <= BLUE));
    const char *text = name(c);
    assert(text != 0);
    assert(text[0] == 'r' || text[0] == 'g' || text[0] == 'b');
    return 0;
}
