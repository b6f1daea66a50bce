#include <stdlib.h>

int main(void) {
    char *text = malloc(4);
    if (!text)
        return 0;
    char *p = text;
    for (int i = 0; i < 4; i++)
        *p++ = 'a';
    free(text);
    return 0;
}
