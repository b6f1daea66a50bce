#include <assert.h>

static int number;
static struct { char *p; double d; int v[3]; } record;

int main(void) {
    static unsigned long stamp;
    assert(number == 0 && stamp == 0);
    assert(record.p == 0 && record.d == 0 && record.v[2] == 0);
    return 0;
}
