#include <stdlib.h>

static int *kept;

int main(void) {
    kept = malloc(sizeof *kept);
    if (!kept)
        return 0;
    *kept = 1;
    return 0;
}
