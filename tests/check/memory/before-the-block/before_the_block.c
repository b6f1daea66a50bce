#include <stdlib.h>
#include <string.h>

int main(void) {
    char *line = malloc(8);
    if (!line)
        return 0;
    memset(line, ' ', 8);
    char *p = line + 7;
    while (*p == ' ')
        p--;
    *p = 0;
    free(line);
    return 0;
}
