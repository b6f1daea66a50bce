#include <threads.h>

static int state;

static int background(void *arg) {
    state = 2;
    return arg != 0;
}

int main(void) {
    thrd_t one;
    thrd_create(&one, background, 0);
    thrd_detach(one);
    state = 1;
    thrd_yield();
    return 0;
}
