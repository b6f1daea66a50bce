// end: fails NullPointer
#include <stdlib.h>
#include <stdio.h>

int main(void) { puts(NULL); return 0; }
