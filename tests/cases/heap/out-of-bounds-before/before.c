/* Reads the element before the first. */
#include <stdlib.h>

int main(void) {
    volatile int *numbers = malloc(10 * sizeof *numbers);
    free(malloc(10));
    int i = 0;
    int sum = numbers[i - 1]; /* before */
    free((void *)numbers);
    return sum & 0;
}
