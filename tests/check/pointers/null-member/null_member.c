#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

struct record { char name[24]; int counts[4]; };

static struct record records[2];

static struct record *lookup(int key) {
    return key >= 0 && key < 2 ? &records[key] : NULL;
}

int main(void) {
    int *count = &lookup(__VERIFIER_nondet_int())->counts[2];
    if (count != NULL)
        *count = 1;
    return 0;
}
