#include <assert.h>

static int next(void) {
    static int number = 10;
    return number++;
}

int main(void) {
    int first = next();
    int second = next();
    assert(first == second);
    return 0;
}
