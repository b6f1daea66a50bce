#include <assert.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    char text[6] = "hello";
    unsigned cut = __VERIFIER_nondet_uchar() % 6;
    text[cut] = 0;
    text[cut] = '!';
    text[5] = '?';
    unsigned long n = strlen(text);
    return n == 100;
}
