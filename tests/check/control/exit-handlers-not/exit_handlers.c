#include <assert.h>
#include <stdlib.h>

static int step;

static void early(void) { assert(step++ == 0); }
static void late(void) { assert(step++ == 1); }

int main(void) {
    atexit(late);
    atexit(early);
    return 0;
}
