// end: fails Assertion
void reach_error(void);

__attribute__((destructor)) void f(void) { reach_error(); }
int main(void) { return 0; }
