/* unpick.h: what a test's author can tell Unpick. For C and C++.
 *
 * Nothing here is needed: Unpick runs programs that never heard of it. Everything compiles to
 * nothing unless the program is built with `unpick cc` or `unpick c++`, which define __UNPICK__, so
 * these lines can stay in the code. There is no library to link.
 */
#ifndef UNPICK_H
#define UNPICK_H

#ifdef __UNPICK__

#ifdef __cplusplus
extern "C" {
#endif

/* The runtime's side. Use the macros below. */
__attribute__((noreturn)) void unpick_assert_fail(const char *expr, const char *file, unsigned line,
                                                  const char *function);
int unpick_choose_int(int lo, int hi);
void unpick_atomic_begin(void);
void unpick_atomic_end(void);
void unpick_ignore_race(const volatile void *address, unsigned long size);
void unpick_hand_lock(const volatile void *lock);
void unpick_hand_unlock(const volatile void *lock);

#ifdef __cplusplus
}
#endif

/* R_assert(expr): as assert(), and only under Unpick: the run fails with kind `assertion` where expr
 * is false. NDEBUG does not switch it off. Without Unpick expr is not evaluated, so it must not have
 * effects that the program needs. What it reads of shared memory are accesses like any others. */
#define R_assert(expr) \
    ((expr) ? (void)0 : unpick_assert_fail(#expr, __FILE__, __LINE__, __func__))

/* unpick_choose(lo, hi): an int from lo to hi, both included, that Unpick chooses: exhaustive
 * strategies try every value, others draw one, a replay repeats it. Without Unpick: lo. */
#define unpick_choose(lo, hi) unpick_choose_int((lo), (hi))

/* UNPICK_ATOMIC_BEGIN() ... UNPICK_ATOMIC_END(): no other thread runs in between. The two belong to
 * the same thread; a section must not contain another, nor an operation that has to wait for
 * another thread. It restricts what is explored, and protects nothing in a run without Unpick. */
#define UNPICK_ATOMIC_BEGIN() unpick_atomic_begin()
#define UNPICK_ATOMIC_END() unpick_atomic_end()

/* UNPICK_IGNORE_RACE(ptr, size): from now on races on these bytes are meant: noted in the trace, for whoever
 * looks for races there. Their accesses remain scheduling points: what the race does to the program is still explored. */
#define UNPICK_IGNORE_RACE(ptr, size) unpick_ignore_race((ptr), (size))

/* UNPICK_LOCK_ACQUIRED(ptr), UNPICK_LOCK_RELEASED(ptr): the calling thread has just acquired, or is
 * about to release, a lock that the program made itself; ptr names it. Noted in the trace, for
 * analyses that ask what a lock orders and protects. It does not block anybody. */
#define UNPICK_LOCK_ACQUIRED(ptr) unpick_hand_lock(ptr)
#define UNPICK_LOCK_RELEASED(ptr) unpick_hand_unlock(ptr)

#else /* without Unpick */

#define R_assert(expr) ((void)sizeof((expr) ? 1 : 0)) /* names what expr names, computes nothing */
#define unpick_choose(lo, hi) (lo)
#define UNPICK_ATOMIC_BEGIN() ((void)0)
#define UNPICK_ATOMIC_END() ((void)0)
#define UNPICK_IGNORE_RACE(ptr, size) ((void)0)
#define UNPICK_LOCK_ACQUIRED(ptr) ((void)0)
#define UNPICK_LOCK_RELEASED(ptr) ((void)0)

#endif
#endif
