#include <threads.h>

static mtx_t lock;
static cnd_t changed;
static int turn, board;

static int player(void *arg) {
    int me = *(int *)arg;
    mtx_lock(&lock);
    while (turn != me)
        cnd_wait(&changed, &lock);
    mtx_unlock(&lock);
    board = board * 2 + me;
    mtx_lock(&lock);
    turn++;
    cnd_broadcast(&changed);
    mtx_unlock(&lock);
    return 0;
}

int main(void) {
    mtx_init(&lock, mtx_plain);
    cnd_init(&changed);
    thrd_t one, two;
    int zero = 0, first = 1;
    thrd_create(&two, player, &first);
    thrd_create(&one, player, &zero);
    thrd_join(one, 0);
    thrd_join(two, 0);
    return board != 1;
}
