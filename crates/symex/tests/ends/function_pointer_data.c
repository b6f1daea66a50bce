// end: fails BadCall

int x;
int main(void) { int (*h)(void) = (int (*)(void))&x; return h(); }
