#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct box { char *text; };

static void take(struct box *to, struct box *from) {
    to->text = from->text;
}

int main(void) {
    struct box a = {malloc(3)}, b = {NULL};
    if (__VERIFIER_nondet_bool())
        take(&b, &a);
    free(b.text);
    free(a.text);
    return 0;
}
