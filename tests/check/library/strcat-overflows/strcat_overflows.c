#include <string.h>

extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    char name[8] = "abc";
    strcat(name, __VERIFIER_nondet_bool() ? "defgh" : "d");
    return name[0] != 'a';
}
