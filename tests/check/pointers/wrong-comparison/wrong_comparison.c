#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

struct item { int key, order; };

static int not_after(struct item a, struct item b) { return a.key <= b.key; }

static void sort_two(struct item *v, int (*before)(struct item, struct item)) {
    if (before(v[1], v[0])) {
        struct item t = v[0];
        v[0] = v[1];
        v[1] = t;
    }
}

int main(void) {
    struct item v[2] = {{__VERIFIER_nondet_uchar(), 0}, {__VERIFIER_nondet_uchar(), 1}};
    sort_two(v, not_after);
    assert(v[0].key < v[1].key || v[0].order < v[1].order);
    return 0;
}
