/* Copies a name into a block that is large enough. */
#include <stdlib.h>
#include <string.h>

static char *copy_of(const char *name) {
    char *copy = malloc(strlen(name) + 1);
    strcpy(copy, name);
    return copy;
}

int main(void) {
    char *copy = copy_of("a name of twenty-four ch");
    int same = strcmp(copy, "another");
    free(copy);
    return same == 0;
}
