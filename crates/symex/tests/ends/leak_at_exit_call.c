// end: fails Leak
// checks: leak
#include <stdlib.h>

static void f(void) { malloc(4); }
int main(void) { f(); exit(0); }
