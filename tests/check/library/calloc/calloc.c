#include <assert.h>
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

struct cell { int a; char *p; };

int main(void) {
    struct cell *cells = calloc(5, sizeof *cells);
    if (!cells)
        return 0;
    unsigned i = __VERIFIER_nondet_uchar() % 5;
    assert(cells[i].a == 0 && cells[i].p == NULL);
    free(cells);
    return 0;
}
