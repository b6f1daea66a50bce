#include <stdlib.h>

int main(void) {
    static int table[256];
    unsigned char *bytes = calloc(4, 1);
    if (!bytes)
        return 0;
    bytes[0] = 1;
    int found = table[bytes[2]];
    free(bytes);
    return found;
}
