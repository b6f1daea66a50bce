#include <stdlib.h>
#include <threads.h>

static once_flag made = ONCE_FLAG_INIT;
static int *block;

static void make(void) {
    block = calloc(2, sizeof *block);
}

static int half(void *arg) {
    call_once(&made, make);
    int *mine = block + (arg != 0);
    *mine = 3;
    return *mine;
}

int main(void) {
    thrd_t one, two;
    int a, b;
    thrd_create(&one, half, 0);
    thrd_create(&two, half, &two);
    thrd_join(one, &a);
    thrd_join(two, &b);
    int sum = block[0] + block[1];
    free(block);
    return sum != a + b;
}
