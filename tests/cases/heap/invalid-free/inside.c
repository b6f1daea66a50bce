/* Frees a pointer that has moved on. */
#include <stdlib.h>

int main(void) {
    char *text = calloc(1, 32);
    for (int i = 0; i < 16; i++)
        text++;
    free(text);
    return 0;
}
