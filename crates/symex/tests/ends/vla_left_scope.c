// end: fails UseAfterReturn

int main(void) { int *p = 0; for (int i = 1; i < 3; i++) { if (p) return *p; int v[i]; v[0] = 1; p = v; } return 0; }
