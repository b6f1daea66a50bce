// end: fails OutOfBounds
#include <string.h>

int main(void) { char s[3], t[8] = "hello"; memcpy(s, t, 4); return s[0]; }
