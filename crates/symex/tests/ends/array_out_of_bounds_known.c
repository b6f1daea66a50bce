// end: fails OutOfBounds

int a[4];
int main(void) { int i = 4; return a[i]; }
