#include <stdlib.h>

struct packet { int length; short data[]; };

int main(void) {
    int n = 3;
    struct packet *p = malloc(sizeof(struct packet) + (n - 1) * sizeof(short));
    if (!p)
        return 0;
    p->length = n;
    for (int i = 0; i < p->length; i++)
        p->data[i] = (short)i;
    int last = p->data[n - 1];
    free(p);
    return last != 2;
}
