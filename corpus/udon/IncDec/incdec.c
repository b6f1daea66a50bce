/* One thread increments and one decrements a number, under a lock made of one atomic. Each finds
 * its own effect afterwards, unless the other has said that it was there, too. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_uint value = 1;
static atomic_int m;
static atomic_int inc_flag, dec_flag;

static void acquire(void) {
    int is_free = 0;
    while (!atomic_compare_exchange_strong(&m, &is_free, 1))
        is_free = 0;
}

static void release(void) {
    m = 0;
}

static void *increment(void *arg) {
    acquire();
    if (value == -1u) {
        release();
        return arg;
    }
    unsigned v = value;
    inc_flag = 1;
    value = v + 1;
    release();
    /* The value first: the other raises its flag before it changes the value. */
    unsigned seen = value;
    assert(seen > v || dec_flag);
    return arg;
}

static void *decrement(void *arg) {
    acquire();
    if (value == 0) {
        release();
        return arg;
    }
    unsigned v = value;
#ifdef BAD /* says so too late */
    value = v - 1;
    release();
    dec_flag = 1;
#else
    dec_flag = 1;
    value = v - 1;
    release();
#endif
    unsigned seen = value;
    assert(seen < v || inc_flag);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, increment, NULL);
    pthread_create(&two, NULL, decrement, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(value == 1);
    return 0;
}
