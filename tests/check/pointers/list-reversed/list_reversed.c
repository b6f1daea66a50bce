#include <assert.h>
#include <stddef.h>

struct node { int value; struct node *next; };

int main(void) {
    struct node nodes[4];
    for (int i = 0; i < 4; i++)
        nodes[i] = (struct node){i, i < 3 ? &nodes[i + 1] : NULL};
    struct node *rest = &nodes[0], *done = NULL;
    while (rest) {
        struct node *next = rest->next;
        rest->next = done;
        done = rest;
        rest = next;
    }
    int expected = 3;
    for (struct node *n = done; n; n = n->next)
        assert(n->value == expected--);
    assert(expected == -1 && done == &nodes[3]);
    return 0;
}
