#include <assert.h>
#include <threads.h>

static once_flag flag = ONCE_FLAG_INIT;
static tss_t key;
static mtx_t lock;
static int made;

static void make(void) {
    made++;
    tss_create(&key, 0);
    mtx_init(&lock, mtx_recursive);
}

static int work(void *arg) {
    call_once(&flag, make);
    tss_set(key, arg);
    if (mtx_trylock(&lock) == thrd_success) {
        mtx_lock(&lock);
        mtx_unlock(&lock);
        mtx_unlock(&lock);
    }
    assert(tss_get(key) == arg && made == 1);
    return 0;
}

int main(void) {
    thrd_t thread;
    int mine, other;
    thrd_create(&thread, work, &other);
    work(&mine);
    thrd_join(thread, 0);
    return 0;
}
