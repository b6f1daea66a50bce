// end: exit 9
// unwind: 3

int main(void) { int s = 0; for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) s++; return s; }
