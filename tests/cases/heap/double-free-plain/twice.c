/* One thread frees a block of no bytes twice, with others in between. */
#include <stdlib.h>

int main(void) {
    void *block = malloc(0), *other = malloc(16);
    free(block);
    free(other);
    free(NULL);
    other = malloc(0);
    free(block); /* again */
    free(other);
    return 0;
}
