// end: exit 8
// recursion: 10

int f(int n) { return n ? 1 + f(n - 1) : 0; }
int main(void) { return f(8); }
