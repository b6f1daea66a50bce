#include <assert.h>

extern void notify(int event);

int main(void) {
    int x = 1;
    notify(x);
    assert(x == 1);
    return 0;
}
