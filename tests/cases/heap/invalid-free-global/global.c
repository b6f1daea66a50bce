/* Frees a global variable. */
#include <stdlib.h>

static char preset[32];

int main(int argc, char **argv) {
    char *text = argc > 5 ? malloc(32) : preset;
    text[0] = argv[0][0];
    free(text);
    return 0;
}
