// end: fails OutOfBounds
#include <stdlib.h>

int main(void) { int *p = malloc(3 * sizeof *p); p[3] = 1; return 0; }
