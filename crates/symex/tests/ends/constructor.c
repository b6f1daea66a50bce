// end: exit 7

int x;
__attribute__((constructor)) void f(void) { x = 7; }
int main(void) { return x; }
