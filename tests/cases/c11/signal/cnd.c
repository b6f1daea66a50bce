/* One thread waits until another is ready; whoever is first makes the lock. */
#include <assert.h>
#include <threads.h>

static mtx_t m;
static cnd_t c;
static once_flag flag = ONCE_FLAG_INIT;
static int ready;

static void start(void) {
    mtx_init(&m, mtx_plain);
    cnd_init(&c);
}

static int worker(void *arg) {
    (void)arg;
    call_once(&flag, start);
    mtx_lock(&m);
    ready = 1;
    cnd_signal(&c);
    mtx_unlock(&m);
    thrd_exit(5);
}

int main(void) {
    thrd_t one;
    int value;
    thrd_create(&one, worker, NULL);
    call_once(&flag, start);
    mtx_lock(&m);
    while (!ready)
        cnd_wait(&c, &m);
    mtx_unlock(&m);
    thrd_join(one, &value);
    assert(value == 5 && thrd_equal(thrd_current(), thrd_current()));
    return 0;
}
