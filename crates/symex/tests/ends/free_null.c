// end: exit 0
#include <stdlib.h>

int main(void) { free(NULL); return 0; }
