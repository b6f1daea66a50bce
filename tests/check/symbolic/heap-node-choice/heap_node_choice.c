#include <assert.h>
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

struct node { int id; struct node *next; };

int main(void) {
    struct node *list = NULL;
    for (int i = 3; i > 0; i--) {
        struct node *n = malloc(sizeof *n);
        if (!n)
            return 0;
        n->id = i;
        n->next = list;
        list = n;
    }
    int victim = __VERIFIER_nondet_uchar() % 4;
    for (struct node **link = &list; *link; link = &(*link)->next)
        if ((*link)->id == victim) {
            struct node *gone = *link;
            *link = gone->next;
            free(gone);
            break;
        }
    int sum = 0;
    for (struct node *n = list; n; n = n->next)
        sum += n->id;
    assert(sum == 6 - victim);
    return 0;
}
