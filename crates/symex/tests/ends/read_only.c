// end: fails ReadOnly

int main(void) { char *s = (char *)"text"; s[0] = 1; return 0; }
