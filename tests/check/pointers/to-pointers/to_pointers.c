#include <assert.h>
#include <stddef.h>

extern _Bool __VERIFIER_nondet_bool(void);

static int first = 1, second = 2;

static void redirect(int **place, int wanted) {
    *place = wanted ? &second : NULL;
}

int main(void) {
    int *p = &first;
    int **pp = &p;
    redirect(pp, __VERIFIER_nondet_bool());
    int value = **pp;
    assert(value == 2 || value == 1);
    return 0;
}
