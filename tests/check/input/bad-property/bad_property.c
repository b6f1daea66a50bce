static int helper(int n) { return n * 2; }
int main(void) { return helper(0); }
