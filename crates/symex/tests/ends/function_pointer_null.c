// end: fails NullPointer
#include <stdlib.h>

int main(void) { int (*h)(void) = NULL; return h(); }
