// end: exit 5

_Thread_local int x = 5;
int main(void) { return x; }
