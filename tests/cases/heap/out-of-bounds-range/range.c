/* The length of a copy went below zero. */
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *from = malloc(16), *to = malloc(16);
    memset(from, 1, 16);
    size_t left = 4;
    left -= 5;
    memmove(to, from, left); /* far */
    free(from);
    free(to);
    return 0;
}
