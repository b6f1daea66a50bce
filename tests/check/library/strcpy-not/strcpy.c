#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    const char *from = "seven";
    char *to = malloc(strlen(from) + 1);
    if (!to)
        return 0;
    strcpy(to, from);
    assert(strcmp(to, "seven") == 0);
    free(to);
    return 0;
}
