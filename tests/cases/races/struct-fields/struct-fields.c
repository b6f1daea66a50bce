#include <pthread.h>

static struct state { struct part { int x, y, z; } head, tail; int used; } state;
static struct part copy;

static void *write_used(void *arg) {
    state.used++;
    state.head.x = 1;
    return arg;
}

int main(void) {
    pthread_t one;
    state.tail.y = 4;
    pthread_create(&one, 0, write_used, 0);
    copy = state.tail;
    pthread_join(one, 0);
    return copy.y != 4;
}
