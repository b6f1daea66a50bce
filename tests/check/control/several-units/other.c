static int counter;
void count(void) { counter++; }
