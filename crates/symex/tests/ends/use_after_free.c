// end: fails UseAfterFree
#include <stdlib.h>

int main(void) { int *p = malloc(4); free(p); return *p; }
