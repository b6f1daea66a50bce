// end: exit 3

int main(void) { int x = 3; __asm__ volatile("" ::: "memory"); return x; }
