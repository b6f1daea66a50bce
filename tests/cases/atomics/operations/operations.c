/* Every operation of C11 atomics gives the value that it should, on each size.
 * One thread only: the values count, not the schedule. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define OPERATIONS(type)                                     \
    do {                                                     \
        static _Atomic type v;                               \
        type e = 7;                                          \
        atomic_store(&v, 7);                                 \
        assert(atomic_load(&v) == 7);                        \
        assert(atomic_exchange(&v, 12) == 7);                \
        assert(atomic_fetch_add(&v, 3) == 12);               \
        assert(atomic_fetch_sub(&v, 5) == 15);               \
        assert(atomic_fetch_or(&v, 5) == 10);                \
        assert(atomic_fetch_and(&v, 6) == 15);               \
        assert(atomic_fetch_xor(&v, 3) == 6);                \
        assert(!atomic_compare_exchange_strong(&v, &e, 9));  \
        assert(e == 5);                                      \
        assert(atomic_compare_exchange_strong(&v, &e, 255)); \
        assert(atomic_load(&v) == 255);                      \
    } while (0)

static void *worker(void *arg) {
    (void)arg;
    OPERATIONS(uint8_t);
    OPERATIONS(uint16_t);
    OPERATIONS(uint32_t);
    OPERATIONS(uint64_t);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    return 0;
}
