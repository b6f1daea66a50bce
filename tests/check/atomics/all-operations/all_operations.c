#include <assert.h>
#include <stdatomic.h>

int main(void) {
    atomic_uchar c = 250;
    assert(atomic_fetch_add(&c, 10) == 250 && c == 4);
    _Atomic unsigned short s = 0x0f0f;
    assert(atomic_fetch_and(&s, 0x00ff) == 0x0f0f && atomic_fetch_or(&s, 0xf000) == 0x000f);
    assert(atomic_fetch_xor(&s, 0xffff) == 0xf00f && s == 0x0ff0);
    atomic_long l = -1;
    assert(atomic_exchange(&l, 1L << 40) == -1 && atomic_fetch_sub(&l, 1) == 1L << 40);
    long expected = 5;
    assert(!atomic_compare_exchange_weak(&l, &expected, 7) && expected == (1L << 40) - 1);
    _Atomic(int *) p = 0;
    int cells[4];
    atomic_store(&p, cells);
    assert(atomic_fetch_add(&p, 2 * sizeof *cells / sizeof *cells) == cells && p == cells + 2);
    atomic_flag f = ATOMIC_FLAG_INIT;
    assert(!atomic_flag_test_and_set(&f) && atomic_flag_test_and_set(&f));
    atomic_flag_clear(&f);
    assert(!atomic_flag_test_and_set(&f));
    return 0;
}
