// Two threads take turns by a flag that each sees before the other has set it.
#include <assert.h>
#include <pthread.h>

static int turn;
static int inside;
static int entered;

static void enter(int me) {
    if (turn == 0 || turn == me) {
        turn = me;
        inside = inside + 1;
        entered = entered + inside;
        inside = inside - 1;
        turn = 0;
    }
}

static void *first(void *arg) {
    enter(1);
    return arg;
}

static void *second(void *arg) {
    enter(2);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(entered <= 2);
    return 0;
}
