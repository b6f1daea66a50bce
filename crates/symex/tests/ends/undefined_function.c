// end: exit ?

int unheard_of(int);
int main(void) { return unheard_of(3) > 5; }
