#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int next, serving;
static int owner;

static void *run(void *arg) {
    int me = (int)(long)arg;
    int mine = next;
    next = mine + 1;
    while (serving != mine) {
    }
    owner = me;
    assert(owner == me);
    serving = mine + 1;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, run, (void *)0);
    pthread_create(&b, 0, run, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
