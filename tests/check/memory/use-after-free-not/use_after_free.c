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
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
