#include <stdlib.h>

struct node { struct node *next; int value; };

static struct node *push(struct node *list, int value) {
    struct node *n = malloc(sizeof *n);
    if (!n)
        exit(0);
    n->next = list;
    n->value = value;
    return n;
}

int main(void) {
    struct node *list = push(push(push(NULL, 1), 2), 3);
    for (struct node *n = list; n; n = n->next)
        free(n);
    return 0;
}
