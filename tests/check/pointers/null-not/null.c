#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

struct node { int value; struct node *next; };

static struct node last = {3, NULL}, middle = {2, &last}, list = {1, &middle};

static struct node *find(int value) {
    struct node *n = &list;
    while (n != NULL && n->value != value)
        n = n->next;
    return n;
}

int main(void) {
    struct node *n = find(__VERIFIER_nondet_int());
    if (n == NULL)
        return 0;
    return n->value > 3;
}
