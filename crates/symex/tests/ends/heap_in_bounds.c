// end: exit 5
#include <stdlib.h>

int main(void) { int *p = malloc(3 * sizeof *p); p[2] = 5; int r = p[2]; free(p); return r; }
