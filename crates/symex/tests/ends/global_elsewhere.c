// end: exit 0
// end: exit 1

extern int elsewhere;
int main(void) { return elsewhere > 0; }
