#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static int copy(char *to, const char *from, int count) {
    int steps = 0, rounds = (count + 3) / 4;
    switch (count % 4) {
    case 0: do { *to++ = *from++; steps++;
    case 3:      *to++ = *from++; steps++;
    case 2:      *to++ = *from++; steps++;
    case 1:      *to++ = *from++; steps++;
            } while (--rounds > 0);
    }
    return steps;
}

int main(void) {
    char from[8] = "abcdefg", to[8] = {0};
    int count = __VERIFIER_nondet_uchar() % 7 + 1;
    assert(copy(to, from, count) == count);
    assert(to[count - 1] == 'a' + count - 1 && to[count] == 0);
    return 0;
}
