// end: exit 0
#include <assert.h>

int main(void) { int x; assert(x == x); int y = x; assert(y == x); return 0; }
