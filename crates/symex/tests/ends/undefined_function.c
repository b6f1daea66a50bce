// end: exit 0
// end: exit 1

int unheard_of(int);
int main(void) { return unheard_of(3) > 5; }
