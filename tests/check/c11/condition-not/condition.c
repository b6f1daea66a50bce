#include <assert.h>
#include <threads.h>

static mtx_t lock;
static cnd_t turn;
static int stage;

static int second(void *arg) {
    (void)arg;
    mtx_lock(&lock);
    while (stage < 2)
        cnd_wait(&turn, &lock);
    assert(stage == 2);
    mtx_unlock(&lock);
    return 0;
}

int main(void) {
    thrd_t thread;
    mtx_init(&lock, mtx_plain);
    cnd_init(&turn);
    thrd_create(&thread, second, 0);
    for (int i = 0; i < 2; i++) {
        mtx_lock(&lock);
        stage++;
        cnd_broadcast(&turn);
        mtx_unlock(&lock);
    }
    thrd_join(thread, 0);
    return 0;
}
