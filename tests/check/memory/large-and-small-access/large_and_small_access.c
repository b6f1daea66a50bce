#include <stdlib.h>
#include <string.h>

int main(void) {
    unsigned char *block = calloc(12, 1);
    if (!block)
        return 0;
    unsigned long word;
    memcpy(&word, block + 8, sizeof word);
    free(block);
    return word != 0;
}
