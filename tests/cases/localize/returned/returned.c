#include <assert.h>

static int limit(void) {
    return 3;
}

int main(void) {
    int most = limit();
    assert(most == 4);
    return 0;
}
