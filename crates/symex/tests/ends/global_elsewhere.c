// end: exit ?

extern int elsewhere;
int main(void) { return elsewhere > 0; }
