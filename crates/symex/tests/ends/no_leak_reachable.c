// end: exit 0
// checks: leak
#include <stdlib.h>

int **keep;
int main(void) { keep = malloc(sizeof *keep); *keep = malloc(4); return 0; }
