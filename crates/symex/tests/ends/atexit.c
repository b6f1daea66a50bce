// end: fails Assertion
#include <stdlib.h>
void reach_error(void);

void f(void) { reach_error(); }
int main(void) { atexit(f); return 0; }
