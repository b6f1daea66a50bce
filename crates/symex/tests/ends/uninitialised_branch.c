// end: fails Uninitialised
// checks: uninitialised

int main(void) { int x; if (x) return 1; return 0; }
