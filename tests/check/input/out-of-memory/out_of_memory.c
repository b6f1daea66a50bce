#include <stdlib.h>
#include <string.h>

int main(void) {
    for (unsigned long kept = 0;; kept++) {
        char *block = malloc(1 << 20);
        if (!block)
            return 1;
        memset(block, 1, 1 << 20);
    }
}
