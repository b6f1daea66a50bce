// end: fails Abort
#include <stdlib.h>

int main(void) { abort(); }
