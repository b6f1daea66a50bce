// end: fails NullPointer
#include <stdlib.h>

int main(void) { int *p = NULL; return *p; }
