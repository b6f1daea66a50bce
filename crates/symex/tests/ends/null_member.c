// end: fails NullPointer
#include <stdlib.h>

struct s { int a, b; };
int main(void) { struct s *p = NULL; p->b = 1; return 0; }
