#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int inside;

static void *work(void *arg) {
    int me = *(int *)arg;
    wants[me] = 1;
    turn = !me;
    while (wants[!me] && turn == !me)
        ;
    inside++;
    assert(inside == 1);
    inside--;
    wants[me] = 0;
    return 0;
}

int main(void) {
    pthread_t thread;
    int ids[2] = {0, 1};
    pthread_create(&thread, 0, work, &ids[0]);
    work(&ids[1]);
    pthread_join(thread, 0);
    return 0;
}
