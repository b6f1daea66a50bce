/* One thread increments and one decrements a number by compare-and-swap. Each finds its own effect
 * afterwards, unless the other has said that it comes, too. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_uint value = 1;
static atomic_int inc_flag, dec_flag;

static void *increment(void *arg) {
    unsigned v;
    do {
        v = value;
        if (v == -1u)
            return arg;
        inc_flag = 1;
    } while (!atomic_compare_exchange_strong(&value, &v, v + 1));
    unsigned seen = value;
    assert(seen > v || dec_flag);
    return arg;
}

static void *decrement(void *arg) {
    unsigned v;
    do {
        v = value;
        if (v == 0)
            return arg;
#ifndef BAD
        dec_flag = 1;
#endif
    } while (!atomic_compare_exchange_strong(&value, &v, v - 1));
#ifdef BAD /* says so too late */
    dec_flag = 1;
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
