// end: exit 3
#include <stdlib.h>
#include <unistd.h>
void reach_error(void);

void f(void) { reach_error(); }
int main(void) { atexit(f); _exit(3); }
