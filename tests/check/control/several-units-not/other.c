extern int counter;
void count(void) { counter++; }
