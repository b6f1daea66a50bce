// end: fails WildPointer

int main(void) { int *p = (int *)0x123456; return *p; }
