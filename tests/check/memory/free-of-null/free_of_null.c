#include <stdlib.h>

int main(void) {
    char *p = NULL;
    free(p);
    free(p);
    p = malloc(1);
    free(p);
    p = NULL;
    free(p);
    return 0;
}
