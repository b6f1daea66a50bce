// end: cut
// recursion: 10

int f(int n) { return f(n + 1); }
int main(void) { return f(0); }
