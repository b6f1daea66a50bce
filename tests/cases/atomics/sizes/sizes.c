/* C11 atomics of 1, 2, 4 and 8 bytes, each incremented by a thread and by main.
 * Every increment is one step and none is lost, even where it carries. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static _Atomic uint8_t a = 255;
static _Atomic uint16_t b = 65535;
static _Atomic uint32_t c = UINT32_MAX;
static _Atomic uint64_t d = UINT32_MAX;

static void *worker(void *arg) {
    (void)arg;
    atomic_fetch_add(&a, 1);
    atomic_fetch_add(&b, 1);
    atomic_fetch_add(&c, 1);
    atomic_fetch_add(&d, 1);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    atomic_fetch_add(&a, 1);
    atomic_fetch_add(&b, 1);
    atomic_fetch_add(&c, 1);
    atomic_fetch_add(&d, 1);
    pthread_join(t, NULL);
    assert(a == 1);
    assert(b == 1);
    assert(c == 1);
    assert(d == (uint64_t)UINT32_MAX + 2);
    return 0;
}
