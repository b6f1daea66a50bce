// end: exit 6
#include <alloca.h>

int main(void) { int s = 0; for (int i = 1; i < 4; i++) { int *p = alloca(i * 4); p[i - 1] = i; s += p[i - 1]; } return s; }
