// end: fails OutOfBounds
#include <string.h>

int main(void) { char s[3]; strcpy(s, "abc"); return 0; }
