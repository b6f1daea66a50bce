// end: exit 0
// end: exit 1
#include <stdlib.h>

int main(void) { srand(3); if (rand() % 2) return 1; return 0; }
