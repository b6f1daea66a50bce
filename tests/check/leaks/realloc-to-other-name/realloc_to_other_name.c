#include <stdlib.h>

int main(void) {
    int *a = malloc(4);
    if (!a)
        return 0;
    int *b = realloc(a, 4000);
    free(b ? b : a);
    void *c = calloc(3, 3);
    free(c);
    return 0;
}
