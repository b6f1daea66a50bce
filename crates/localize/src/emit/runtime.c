/* One thread runs at a time, and this is what they are to each other. Locks and the like keep their state in the
   program's own objects, where the C library would; a function that gives 0 means that the thread has to wait. */

#define UNPICK_HERE __FILE__, __LINE__
enum { UNPICK_STOPS, UNPICK_WAITS, UNPICK_ENDS };
enum { UNPICK_FOREVER, UNPICK_TIMED, UNPICK_AT_ONCE };
enum { UNPICK_EPERM = 1, UNPICK_ESRCH = 3, UNPICK_EAGAIN = 11, UNPICK_EBUSY = 16, UNPICK_EINVAL = 22, UNPICK_EDEADLK = 35, UNPICK_ETIMEDOUT = 110 };

struct unpick_thread {
    int at; /* the label at which it goes on */
    int begun, ended, joined, detached, late, generation;
    char *argument, *result;
    char *asleep; /* the condition that it sleeps on */
    unsigned ticket, inputs, choices;
    const char *what, *name, *file; /* why it has to wait, and where */
    int line, holder;
    int error; /* its errno */
};
static struct unpick_thread unpick_threads[UNPICK_THREADS];
static int unpick_created = 1;   /* threads, main among them */
static unsigned unpick_tickets;  /* order of arrival at conditions */
static unsigned unpick_step;     /* of the interleaving */
static unsigned unpick_moves;    /* grows whenever somebody gets on */
static unsigned unpick_passed[UNPICK_SITES + 1];

#ifdef DIAGNOSE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern long __VERIFIER_nondet_long(void);
extern void __VERIFIER_assume(int);
static int unpick_diag;             /* the place that has another value, by its number in the list above */
static unsigned long unpick_value;  /* the value that it has instead */

static void unpick_fail(const char *file, int line, const char *kind, const char *message)
{
    (void)file, (void)line, (void)kind, (void)message;
    __VERIFIER_assume(0);
}

UNPICK_MAYBE unsigned long unpick_instead(int place, unsigned long own, int width)
{
    unsigned long value = width < 64 ? unpick_value & ((1UL << width) - 1) : unpick_value;
    if (unpick_diag != place)
        return own;
    __VERIFIER_assume(value != own);
    return value;
}
#define UNPICK_OR(place, own, width) unpick_instead(place, own, width)
#else
extern int unpick_print(int, const char *, ...) __asm__("dprintf");
extern void unpick_abort(void) __asm__("abort");
extern void unpick_exit(int) __asm__("_exit");

static void unpick_fail(const char *file, int line, const char *kind, const char *message)
{
    unpick_print(2, "%s:%d: %s: %s\n", file, line, kind, message);
    unpick_abort();
}
#define UNPICK_OR(place, own, width) (own)
#endif

/* The recorded run does not come here. */
UNPICK_MAYBE void unpick_stray(const char *file, int line, const char *why)
{
#ifdef DIAGNOSE
    unpick_fail(file, line, "", why);
#else
    unpick_print(2, "%s:%d: the recorded run is left: %s\n", file, line, why);
    unpick_exit(3);
#endif
}

/* Is it here that another thread goes on? */
UNPICK_MAYBE int unpick_stops(int me, int site)
{
    return unpick_step < UNPICK_STEPS && unpick_trail[unpick_step].thread == me
        && unpick_trail[unpick_step].site == site && unpick_trail[unpick_step].passed == unpick_passed[site];
}

UNPICK_MAYBE int unpick_waits(int me, const char *what, const char *name, int holder, const char *file, int line)
{
    struct unpick_thread *thread = &unpick_threads[me];
    if (!thread->what)
        unpick_moves++;
    thread->what = what, thread->name = name, thread->holder = holder;
    thread->file = file, thread->line = line;
    return 0;
}

UNPICK_MAYBE int unpick_goes(int me)
{
    if (unpick_threads[me].what)
        unpick_moves++;
    unpick_threads[me].what = 0;
    return 1;
}

/* The process ends, and nothing has failed. */
UNPICK_MAYBE void unpick_over(int status)
{
#ifdef DIAGNOSE
    __VERIFIER_assume(status == 0);
    assert(0);
    __VERIFIER_assume(0);
#else
    unpick_print(2, "the recorded run is left: it ends well\n");
    unpick_exit(status);
#endif
}

/* The thread ends; with the last one the process does. */
UNPICK_MAYBE int unpick_end(int me)
{
    int left = 0;
    unpick_threads[me].ended = 1;
    unpick_threads[me].what = 0;
    for (int i = 0; i < UNPICK_THREADS; i++)
        left += unpick_threads[i].begun && !unpick_threads[i].ended;
    if (!left)
        unpick_over(0);
    return UNPICK_ENDS;
}

UNPICK_MAYBE unsigned long unpick_input(int me)
{
    unsigned at = unpick_threads[me].inputs++;
    return at < unpick_input_counts[me] ? unpick_inputs[me][at] : 0;
}

UNPICK_MAYBE unsigned unpick_choice(int me)
{
    unsigned at = unpick_threads[me].choices++;
    return at < unpick_choice_counts[me] ? unpick_choices[me][at] : 0;
}

/* Memory. Blocks are never given back, so that it is seen when a freed one is used. */

typedef unsigned char __attribute__((may_alias)) unpick_u8;
typedef unsigned short __attribute__((may_alias, aligned(1))) unpick_u16;
typedef unsigned int __attribute__((may_alias, aligned(1))) unpick_u32;
typedef unsigned long __attribute__((may_alias, aligned(1))) unpick_u64;
typedef unsigned __int128 __attribute__((may_alias, aligned(1))) unpick_u128;
typedef float __attribute__((may_alias, aligned(1))) unpick_f32;
typedef double __attribute__((may_alias, aligned(1))) unpick_f64;
typedef char *__attribute__((may_alias, aligned(1))) unpick_pointer;

UNPICK_MAYBE float unpick_to_f32(unsigned int bits)
{
    union { unsigned int bits; float number; } both = { bits };
    return both.number;
}

UNPICK_MAYBE double unpick_to_f64(unsigned long bits)
{
    union { unsigned long bits; double number; } both = { bits };
    return both.number;
}

UNPICK_MAYBE unsigned int unpick_of_f32(float number)
{
    union { float number; unsigned int bits; } both = { number };
    return both.bits;
}

UNPICK_MAYBE unsigned long unpick_of_f64(double number)
{
    union { double number; unsigned long bits; } both = { number };
    return both.bits;
}

extern void *unpick_new(unsigned long) __asm__("malloc");

#ifdef DIAGNOSE
UNPICK_MAYBE char *unpick_check(char *pointer, unsigned long size, const char *file, int line)
{
    (void)size, (void)file, (void)line;
    __VERIFIER_assume(pointer != 0);
    return pointer;
}

UNPICK_MAYBE char *unpick_malloc(unsigned long size)
{
    return unpick_new(size);
}

UNPICK_MAYBE void unpick_free(char *begin, const char *file, int line)
{
    (void)begin, (void)file, (void)line;
}
#else
enum { UNPICK_BLOCKS = 1 << 16, UNPICK_BEYOND = 64 };
static struct unpick_block {
    char *begin;
    unsigned long size;
    int freed;
} unpick_blocks[UNPICK_BLOCKS];
static int unpick_block_count;

/* The block that this is in, or just beside. */
static struct unpick_block *unpick_block_at(char *pointer)
{
    for (int i = unpick_block_count - 1; i >= 0; i--) {
        struct unpick_block *block = &unpick_blocks[i];
        if (pointer >= block->begin - UNPICK_BEYOND && pointer < block->begin + block->size + UNPICK_BEYOND)
            return block;
    }
    return 0;
}

UNPICK_MAYBE char *unpick_check(char *pointer, unsigned long size, const char *file, int line)
{
    if ((unsigned long)pointer < 4096)
        unpick_fail(file, line, "crash", "the null pointer is used");
    struct unpick_block *block = unpick_block_at(pointer);
    if (block && block->freed)
        unpick_fail(file, line, "use-after-free", "a block is used that was freed");
    if (block && (pointer < block->begin || pointer + size > block->begin + block->size))
        unpick_fail(file, line, "out-of-bounds", "an access outside of its block");
    return pointer;
}

UNPICK_MAYBE char *unpick_malloc(unsigned long size)
{
    char *begin = unpick_new(size + 2 * UNPICK_BEYOND);
    if (!begin || unpick_block_count == UNPICK_BLOCKS)
        return 0;
    for (unsigned long i = 0; i < size; i++)
        begin[UNPICK_BEYOND + i] = 0;
    unpick_blocks[unpick_block_count++] = (struct unpick_block){ begin + UNPICK_BEYOND, size, 0 };
    return begin + UNPICK_BEYOND;
}

UNPICK_MAYBE void unpick_free(char *begin, const char *file, int line)
{
    struct unpick_block *block = begin ? unpick_block_at(begin) : 0;
    if (!begin)
        return;
    if (block && block->freed)
        unpick_fail(file, line, "double-free", "a block is freed that was freed before");
    if (!block || block->begin != begin)
        unpick_fail(file, line, "invalid-free", "something is freed that is no block");
    block->freed = 1;
}
#endif
/* Inside of a variable of so many bytes. */
UNPICK_MAYBE char *unpick_within(char *pointer, unsigned long size, char *begin, unsigned long bytes, const char *file, int line)
{
    if (pointer < begin || pointer + size > begin + bytes)
        unpick_fail(file, line, "out-of-bounds", "an access outside of its variable");
    return pointer;
}
#define UNPICK_IN(type, pointer, variable, bytes) \
    (*(unpick_##type *)unpick_within(pointer, sizeof(unpick_##type), (char *)&variable, bytes, UNPICK_HERE))
#define UNPICK_AT(type, pointer) (*(unpick_##type *)unpick_check(pointer, sizeof(unpick_##type), UNPICK_HERE))

UNPICK_MAYBE void unpick_copy(char *to, char *from, unsigned long size, const char *file, int line)
{
    if (!size)
        return;
    unpick_check(to, size, file, line);
    unpick_check(from, size, file, line);
    if (to < from)
        for (unsigned long i = 0; i < size; i++)
            to[i] = from[i];
    else
        for (unsigned long i = size; i-- > 0;)
            to[i] = from[i];
}

UNPICK_MAYBE void unpick_fill(char *to, int byte, unsigned long size, const char *file, int line)
{
    if (size)
        unpick_check(to, size, file, line);
    for (unsigned long i = 0; i < size; i++)
        to[i] = (char)byte;
}

UNPICK_MAYBE char *unpick_calloc(unsigned long count, unsigned long size)
{
    char *begin = unpick_malloc(count * size);
    for (unsigned long i = 0; begin && i < count * size; i++)
        begin[i] = 0;
    return begin;
}

#ifndef DIAGNOSE
UNPICK_MAYBE char *unpick_realloc(char *old, unsigned long size, const char *file, int line)
{
    char *begin = unpick_malloc(size);
    if (old) {
        struct unpick_block *block = unpick_block_at(unpick_check(old, 1, file, line));
        unpick_copy(begin, old, !block || block->size > size ? size : block->size, file, line);
        unpick_free(old, file, line);
    }
    return begin;
}
#else
extern void *unpick_grow(void *, unsigned long) __asm__("realloc");
UNPICK_MAYBE char *unpick_realloc(char *old, unsigned long size, const char *file, int line)
{
    (void)file, (void)line;
    return unpick_grow(old, size);
}
#endif

/* Time: always the same, and it goes on where somebody looks at it or lets it pass. */

enum { UNPICK_EPOCH = 1577836800, UNPICK_SECOND = 1000000000 };
static unsigned long unpick_clock;

UNPICK_MAYBE unsigned long unpick_now(unsigned clock)
{
    unpick_clock += 1000;
    return (clock == 0 || clock == 5 ? UNPICK_EPOCH * (unsigned long)UNPICK_SECOND : UNPICK_SECOND) + unpick_clock;
}

UNPICK_MAYBE int unpick_gettime(unsigned clock, char *out, unsigned long unit, const char *file, int line)
{
    unsigned long now = unpick_now(clock);
    unpick_u64 *both = (unpick_u64 *)unpick_check(out, 16, file, line);
    both[0] = now / UNPICK_SECOND;
    both[1] = now % UNPICK_SECOND / unit;
    return 0;
}

UNPICK_MAYBE unsigned long unpick_time(char *out, const char *file, int line)
{
    unsigned long now = unpick_now(0) / UNPICK_SECOND;
    if (out)
        *(unpick_u64 *)unpick_check(out, 8, file, line) = now;
    return now;
}

UNPICK_MAYBE int unpick_pass(unsigned long nanoseconds)
{
    unpick_clock += nanoseconds;
    return 0;
}

UNPICK_MAYBE unsigned long unpick_length(char *time)
{
    return ((unpick_u64 *)time)[0] * UNPICK_SECOND + ((unpick_u64 *)time)[1];
}

/* A wait until this moment was in vain: it is at least that late now. */
UNPICK_MAYBE void unpick_is_late(char *until)
{
    unsigned long limit = unpick_length(until);
    unsigned long base = UNPICK_EPOCH * (unsigned long)UNPICK_SECOND;
    base = limit >= base / 2 ? base : UNPICK_SECOND;
    if (limit > base && limit - base > unpick_clock)
        unpick_clock = limit - base;
    unpick_clock++;
}

/* Threads. */

UNPICK_MAYBE int unpick_status, unpick_first;
UNPICK_MAYBE unsigned unpick_error;
UNPICK_MAYBE char *unpick_arguments[] = { "program", 0 };

UNPICK_MAYBE int unpick_create(char *out, char *attributes, char *start, char *argument, const char *file, int line)
{
    int number = unpick_created++;
    if (number >= UNPICK_THREADS || unpick_starts[number] != start)
        unpick_stray(file, line, "it creates another thread here");
    unpick_threads[number].argument = argument;
    unpick_threads[number].begun = 1;
    unpick_threads[number].detached = attributes && *(unpick_u32 *)(attributes + 8) & 1;
    *(unpick_u64 *)unpick_check(out, 8, file, line) = (unsigned long)number + 1;
    return 0;
}

UNPICK_MAYBE int unpick_join(int me, unsigned long name, char *out, int patience, unsigned *result, const char *file, int line)
{
    int other = (int)name - 1;
    if (other < 0 || other >= unpick_created)
        return *result = UNPICK_ESRCH, unpick_goes(me);
    if (other == me)
        return *result = UNPICK_EDEADLK, unpick_goes(me);
    if (!unpick_threads[me].what && (unpick_threads[other].detached || unpick_threads[other].joined))
        return *result = UNPICK_EINVAL, unpick_goes(me);
    if (!unpick_threads[other].ended && patience == UNPICK_FOREVER)
        return unpick_waits(me, "the end of", 0, other, file, line);
    if (!unpick_threads[other].ended)
        return *result = patience == UNPICK_TIMED ? UNPICK_ETIMEDOUT : UNPICK_EBUSY, unpick_goes(me);
    unpick_threads[other].joined = 1;
    if (out)
        *(unpick_pointer *)unpick_check(out, 8, file, line) = unpick_threads[other].result;
    *result = 0;
    return unpick_goes(me);
}

UNPICK_MAYBE int unpick_detach(unsigned long name)
{
    int other = (int)name - 1;
    if (other < 0 || other >= unpick_created)
        return UNPICK_ESRCH;
    if (unpick_threads[other].detached || unpick_threads[other].joined)
        return UNPICK_EINVAL;
    unpick_threads[other].detached = 1;
    return 0;
}

/* Mutexes, laid out as the C library does. An owner is a thread's number and 1. */

struct __attribute__((may_alias)) unpick_mutex {
    int lock, depth, owner, users, kind;
};
enum { UNPICK_NORMAL, UNPICK_RECURSIVE, UNPICK_CHECKED, UNPICK_DESTROYED = -1 };

UNPICK_MAYBE int unpick_mutex_init(char *object, char *attributes, const char *file, int line)
{
    struct unpick_mutex *mutex = (struct unpick_mutex *)unpick_check(object, sizeof *mutex, file, line);
    mutex->lock = mutex->depth = mutex->owner = mutex->users = 0;
    mutex->kind = attributes ? (int)(*(unpick_u32 *)attributes & 3) : UNPICK_NORMAL;
    return 0;
}

UNPICK_MAYBE int unpick_lock(int me, char *object, const char *name, int patience, unsigned *result, const char *file, int line)
{
    struct unpick_mutex *mutex = (struct unpick_mutex *)unpick_check(object, sizeof *mutex, file, line);
    int mine = mutex->owner == me + 1;
    if (mutex->owner && !mine && patience == UNPICK_FOREVER)
        return unpick_waits(me, "mutex", name, mutex->owner - 1, file, line);
    if (mutex->kind == UNPICK_DESTROYED)
        unpick_fail(file, line, "lock-misuse", "a mutex is used after it was destroyed");
    if (mine && (mutex->kind & 3) == UNPICK_NORMAL && patience == UNPICK_FOREVER)
        unpick_fail(file, line, "lock-misuse", "a mutex is locked again by the thread that holds it");
    *result = 0;
    if (mine && (mutex->kind & 3) == UNPICK_CHECKED)
        *result = patience == UNPICK_AT_ONCE ? UNPICK_EBUSY : UNPICK_EDEADLK;
    else if (mutex->owner && !(mine && (mutex->kind & 3) == UNPICK_RECURSIVE))
        *result = patience == UNPICK_AT_ONCE ? UNPICK_EBUSY : UNPICK_ETIMEDOUT;
    if (!*result)
        mutex->owner = me + 1, mutex->depth++;
    return unpick_goes(me);
}

UNPICK_MAYBE int unpick_unlock(int me, char *object, const char *file, int line)
{
    struct unpick_mutex *mutex = (struct unpick_mutex *)unpick_check(object, sizeof *mutex, file, line);
    if (mutex->owner != me + 1) {
        if ((mutex->kind & 3) == UNPICK_NORMAL)
            unpick_fail(file, line, "lock-misuse",
                mutex->owner ? "unlock of a mutex which another thread holds" : "unlock of a mutex which nobody holds");
        return UNPICK_EPERM;
    }
    if (!--mutex->depth)
        mutex->owner = 0;
    return 0;
}

UNPICK_MAYBE int unpick_mutex_destroy(char *object, const char *file, int line)
{
    struct unpick_mutex *mutex = (struct unpick_mutex *)unpick_check(object, sizeof *mutex, file, line);
    if (mutex->owner)
        unpick_fail(file, line, "lock-misuse", "a mutex is destroyed while it is held");
    mutex->kind = UNPICK_DESTROYED;
    return 0;
}

/* Condition variables: who sleeps knows on what. */

UNPICK_MAYBE int unpick_sleep(int me, char *condition, char *object, unsigned *result, const char *file, int line)
{
    struct unpick_mutex *mutex = (struct unpick_mutex *)unpick_check(object, sizeof *mutex, file, line);
    if (mutex->owner != me + 1) {
        if ((mutex->kind & 3) == UNPICK_NORMAL)
            unpick_fail(file, line, "lock-misuse", "wait on a condition without holding the mutex");
        *result = UNPICK_EPERM;
        return 0;
    }
    unpick_threads[me].generation = mutex->depth;
    mutex->owner = mutex->depth = 0;
    unpick_threads[me].asleep = condition;
    unpick_threads[me].ticket = ++unpick_tickets;
    unpick_threads[me].late = 0;
    return 1;
}

UNPICK_MAYBE int unpick_wake(int me, char *object, const char *name, const char *lock, unsigned *result, const char *file, int line)
{
    struct unpick_mutex *mutex = (struct unpick_mutex *)object;
    if (unpick_threads[me].asleep)
        return unpick_waits(me, "a signal on", name, -1, file, line);
    if (mutex->owner)
        return unpick_waits(me, "mutex", lock, mutex->owner - 1, file, line);
    mutex->owner = me + 1;
    mutex->depth = unpick_threads[me].generation;
    *result = unpick_threads[me].late ? UNPICK_ETIMEDOUT : 0;
    return unpick_goes(me);
}

/* Its time is over, if nobody has woken it. */
UNPICK_MAYBE void unpick_time_out(int me, char *until)
{
    if (!unpick_threads[me].asleep)
        return;
    unpick_threads[me].asleep = 0;
    unpick_threads[me].late = 1;
    unpick_is_late(until);
}

UNPICK_MAYBE int unpick_sleepers(char *condition)
{
    int count = 0;
    for (int i = 0; i < UNPICK_THREADS; i++)
        count += unpick_threads[i].asleep == condition;
    return count;
}

UNPICK_MAYBE int unpick_signal(int me, char *condition)
{
    int count = unpick_sleepers(condition);
    int wanted = count > 1 ? (int)unpick_choice(me) : 0;
    for (int i = 0; i < UNPICK_THREADS; i++) {
        int before = 0;
        if (unpick_threads[i].asleep != condition)
            continue;
        for (int j = 0; j < UNPICK_THREADS; j++)
            before += unpick_threads[j].asleep == condition && unpick_threads[j].ticket < unpick_threads[i].ticket;
        if (before == wanted) {
            unpick_threads[i].asleep = 0;
            break;
        }
    }
    return 0;
}

UNPICK_MAYBE int unpick_broadcast(char *condition)
{
    for (int i = 0; i < UNPICK_THREADS; i++)
        if (unpick_threads[i].asleep == condition)
            unpick_threads[i].asleep = 0;
    return 0;
}

/* Semaphores. */

UNPICK_MAYBE int unpick_semaphore_wait(int me, char *object, const char *name, int patience, unsigned *result, const char *file, int line)
{
    unpick_u32 *value = (unpick_u32 *)unpick_check(object, 4, file, line);
    if (!*value && patience == UNPICK_FOREVER)
        return unpick_waits(me, "semaphore", name, -1, file, line);
    *result = *value ? 0 : -1;
    if (!*value)
        unpick_threads[me].error = patience == UNPICK_TIMED ? UNPICK_ETIMEDOUT : UNPICK_EAGAIN;
    if (*value)
        --*value;
    return unpick_goes(me);
}

/* Read-write locks: how many read, who writes. */

struct __attribute__((may_alias)) unpick_rwlock {
    int readers, writer;
};

UNPICK_MAYBE int unpick_rwlock_lock(int me, char *object, const char *name, int write, int patience, unsigned *result, const char *file, int line)
{
    struct unpick_rwlock *lock = (struct unpick_rwlock *)unpick_check(object, sizeof *lock, file, line);
    int free = !lock->writer && (!write || !lock->readers);
    if (lock->writer == me + 1 && patience != UNPICK_AT_ONCE)
        return *result = UNPICK_EDEADLK, unpick_goes(me);
    if (!free && patience == UNPICK_FOREVER)
        return unpick_waits(me, write ? "a write lock on" : "a read lock on", name, lock->writer - 1, file, line);
    *result = free ? 0 : patience == UNPICK_AT_ONCE ? UNPICK_EBUSY : UNPICK_ETIMEDOUT;
    if (free && write)
        lock->writer = me + 1;
    else if (free)
        lock->readers++;
    return unpick_goes(me);
}

UNPICK_MAYBE int unpick_rwlock_unlock(int me, char *object, const char *file, int line)
{
    struct unpick_rwlock *lock = (struct unpick_rwlock *)unpick_check(object, sizeof *lock, file, line);
    if (lock->writer == me + 1)
        lock->writer = 0;
    else if (lock->readers)
        lock->readers--;
    else
        unpick_fail(file, line, "lock-misuse",
            lock->writer ? "unlock of a lock which another thread holds" : "unlock of a lock which nobody holds");
    return 0;
}

UNPICK_MAYBE int unpick_rwlock_destroy(char *object, const char *file, int line)
{
    struct unpick_rwlock *lock = (struct unpick_rwlock *)unpick_check(object, sizeof *lock, file, line);
    if (lock->readers || lock->writer)
        unpick_fail(file, line, "lock-misuse", "a lock is destroyed while it is held");
    return 0;
}

/* Barriers. */

struct __attribute__((may_alias)) unpick_barrier {
    int total, arrived, generation;
};

UNPICK_MAYBE int unpick_barrier_init(char *object, int total, const char *file, int line)
{
    struct unpick_barrier *barrier = (struct unpick_barrier *)unpick_check(object, sizeof *barrier, file, line);
    if (total <= 0)
        return UNPICK_EINVAL;
    barrier->total = total;
    barrier->arrived = barrier->generation = 0;
    return 0;
}

/* Gives whether it is the last one. */
UNPICK_MAYBE int unpick_arrive(int me, char *object, const char *file, int line)
{
    struct unpick_barrier *barrier = (struct unpick_barrier *)unpick_check(object, sizeof *barrier, file, line);
    unpick_threads[me].generation = barrier->generation;
    if (++barrier->arrived < barrier->total)
        return 0;
    barrier->arrived = 0;
    barrier->generation++;
    return 1;
}

UNPICK_MAYBE int unpick_leave(int me, char *object, const char *name, const char *file, int line)
{
    struct unpick_barrier *barrier = (struct unpick_barrier *)object;
    if (unpick_threads[me].generation == barrier->generation)
        return unpick_waits(me, "the others at barrier", name, -1, file, line);
    return unpick_goes(me);
}

UNPICK_MAYBE int unpick_barrier_destroy(char *object, const char *file, int line)
{
    struct unpick_barrier *barrier = (struct unpick_barrier *)unpick_check(object, sizeof *barrier, file, line);
    if (barrier->arrived)
        unpick_fail(file, line, "lock-misuse", "a barrier is destroyed while it is held");
    return 0;
}

/* `pthread_once`: 0 new, 1 running, 2 done. */

UNPICK_MAYBE int unpick_once(int me, char *object, int *first, const char *file, int line)
{
    unpick_u32 *once = (unpick_u32 *)unpick_check(object, 4, file, line);
    if (*once == 1)
        return unpick_waits(me, "the first caller of once", 0, -1, file, line);
    *first = *once == 0;
    if (*first)
        *once = 1;
    return unpick_goes(me);
}
