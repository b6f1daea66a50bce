#include <assert.h>

static int calls;
static int count(int result) {
    calls++;
    return result;
}

int main(void) {
    int a = (count(1), count(2));
    assert(a == 2 && calls == 2);
    int b = count(0) || count(1) || count(1);
    assert(b == 1 && calls == 4);
    int i = 3, v[5] = {0};
    v[i++] += 2;
    assert(i == 4 && v[3] == 2);
    int c = count(0) ? count(5) : count(6);
    assert(c == 6 && calls == 6);
    assert(count(0) && count(1) ? 0 : calls == 7);
    return 0;
}
