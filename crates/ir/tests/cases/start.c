// What runs before and after main, by priority.
__attribute__((constructor)) void plain(void) {}
__attribute__((constructor(200))) void second(void) {}
__attribute__((constructor(101))) void first(void) {}
__attribute__((destructor(101))) void last(void) {}
__attribute__((destructor)) void early(void) {}
int main(void) { return 0; }
