#include <stdlib.h>

int *kept;

int main() {
    kept = malloc(sizeof(int));
    if (kept == 0)
        return 0;
    *kept = 3;
    return 0;
}
