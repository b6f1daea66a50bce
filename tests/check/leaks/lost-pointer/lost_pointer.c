#include <stdlib.h>

int main(void) {
    char *p = malloc(8);
    if (!p)
        return 0;
    p[0] = 0;
    p = malloc(16);
    free(p);
    return 0;
}
