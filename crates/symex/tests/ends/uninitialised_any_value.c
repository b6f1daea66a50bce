// end: exit 0
// end: exit 1

int main(void) { int x; if (x) return 1; return 0; }
