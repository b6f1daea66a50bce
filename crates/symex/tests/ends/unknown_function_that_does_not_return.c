// end: unsupported
__attribute__((noreturn)) void unheard_of(void);
int main(void) { unheard_of(); }
