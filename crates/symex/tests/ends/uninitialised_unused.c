// end: exit 0
// checks: uninitialised

int main(void) { int x, y = x; return 0; }
