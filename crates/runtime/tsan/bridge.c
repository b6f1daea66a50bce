// The genuine ThreadSanitizer behind our hooks. This library is loaded before a program that `unpick cc` built, and
// loads TSan's own runtime for itself alone. The program's runtime goes on scheduling, and tells us each record of
// its log, in the thread that executes it and before anybody else goes on. We tell TSan, with the program's own
// return addresses: who runs, what it was called by, what it touches, what it locks.
//
// Nobody but us sees TSan's functions, so it hears of nothing twice, and of nothing that our runtime does for itself.
// A hand-over between threads is a system call of our runtime, which orders nothing for TSan. Threads are created and
// joined by TSan's functions, because its state is thread-local.
//
// TSan hears of all that synchronises, and of the two accesses that it is asked about. Of no others: once it has
// reported a race on a location, it does not look at it any more.
//
// Condition variables order nothing for TSan but by their mutex, and fences nothing at all: it is what we ask it
// for. Not told: what a descriptor orders.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// `unpick_proto::Record`, and those of its kinds that TSan hears of (a test compares the numbers).
struct record {
    uint8_t kind, flags;
    uint16_t thread;
    uint32_t aux;
    uint64_t count, pc, addr, before, after;
};

enum kind {
    Call = 5,
    Return = 6,
    Read = 16,
    Write = 17,
    AtomicLoad = 18,
    AtomicStore = 19,
    AtomicRmw = 20,
    AtomicCas = 21,
    Fence = 22,
    ThreadStart = 33,
    MutexLock = 40,
    MutexTryLock = 41,
    MutexUnlock = 42,
    MutexInit = 43,
    MutexDestroy = 44,
    MutexTimedLock = 45,
    CondWait = 48,
    CondReacquire = 50,
    ReadLock = 56,
    WriteLock = 57,
    TryReadLock = 58,
    TryWriteLock = 59,
    RwUnlock = 60,
    RwInit = 61,
    RwDestroy = 62,
    BarrierArrive = 64,
    BarrierLeave = 65,
    SemWait = 70,
    SemTryWait = 71,
    SemPost = 72,
    OnceEnter = 78,
    OnceDone = 79,
    Allocate = 96,
    Main = 98,
    HandLock = 100,
    HandUnlock = 101,
};
enum { ORDER = 7, OK = 8 };
enum { MAX_THREADS = 2048 };

// What our runtime offers (`runtime::genuine`).
struct listener {
    uint32_t version;
    // While it is set, blocks that come and go are none of the program's.
    _Bool *libcs_own;
    void (*heard)(const struct record *);
    int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *, uint64_t pc);
    int (*join)(pthread_t, void **, uint64_t pc);
};

// TSan's functions, each looked up by its name.
static struct {
    void (*init)(void);
    void (*func_entry)(uint64_t pc);
    void (*func_exit)(void);
    void (*read_range_pc)(uint64_t, uint64_t size, uint64_t pc);
    void (*write_range_pc)(uint64_t, uint64_t size, uint64_t pc);
    void (*acquire)(uint64_t);
    void (*release)(uint64_t);
    void (*mutex_create)(uint64_t, unsigned flags);
    void (*mutex_destroy)(uint64_t, unsigned flags);
    void (*mutex_pre_lock)(uint64_t, unsigned flags);
    void (*mutex_post_lock)(uint64_t, unsigned flags, int depth);
    int (*mutex_pre_unlock)(uint64_t, unsigned flags);
    void (*mutex_post_unlock)(uint64_t, unsigned flags);
    void (*atomic_thread_fence)(int order);
    void (*ignore_begin)(const char *, int);
    void (*ignore_end)(const char *, int);
    void (*java_init)(uint64_t, uint64_t size);
    void (*java_alloc)(uint64_t, uint64_t size);
    void (*java_free)(uint64_t, uint64_t size);
    void *atomics[5][4];
    int (*pthread_create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    int (*pthread_join)(pthread_t, void **);
} tsan;

// TSan's flags of a lock.
enum { READ_LOCK = 8, RECURSIVE_LOCK = 64, RECURSIVE_UNLOCK = 128 };

// The kernel itself: libc's `syscall` is our runtime's, to which threads have other numbers.
static long kernel(long number, const void *a, long b, long c) {
    long result;
    register long fourth __asm__("r10") = 0;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth) : "rcx", "r11", "memory");
    return result;
}

// How often a mutex was held that a condition wait has let go, for each thread.
static int depths[MAX_THREADS];

// The two accesses that TSan is asked about: by the numbers of their threads and events.
static struct {
    unsigned thread;
    uint64_t count;
} sought[2];

static int is_sought(const struct record *r) {
    return (r->thread == sought[0].thread && r->count == sought[0].count) ||
           (r->thread == sought[1].thread && r->count == sought[1].count);
}

// From here on TSan hears only what synchronises.
static void unheard(int begin) {
    if (begin > 0)
        tsan.ignore_begin(NULL, 0);
    else
        tsan.ignore_end(NULL, 0);
}

// The order of a failing exchange is not recorded: the one that C11 derives from the other.
static int when_it_fails(int order) {
    enum { RELAXED, CONSUME, ACQUIRE, RELEASE, BOTH, SEQ_CST };
    return order == BOTH ? ACQUIRE : order == RELEASE ? RELAXED : order;
}

// The operation has happened: what TSan does leaves the value as it is.
#define ATOMIC(type, width)                                                                                        \
    static void atomic_##type(const struct record *r) {                                                            \
        volatile type *at = (volatile type *)r->addr;                                                              \
        void **does = tsan.atomics[width];                                                                         \
        int order = r->flags & ORDER;                                                                              \
        type now = *at, expected = r->flags & OK ? now : (type)~now;                                               \
        switch (r->kind) {                                                                                         \
        case AtomicLoad: ((type(*)(volatile type *, int))does[0])(at, order); break;                               \
        case AtomicStore: ((void (*)(volatile type *, type, int))does[1])(at, now, order); break;                  \
        case AtomicRmw: ((type(*)(volatile type *, type, int))does[2])(at, 0, order); break;                       \
        case AtomicCas:                                                                                            \
            ((type(*)(volatile type *, type, type, int, int))does[3])(at, expected, now, order,                    \
                                                                      when_it_fails(order));                       \
        }                                                                                                          \
    }
ATOMIC(uint8_t, 0)
ATOMIC(uint16_t, 1)
ATOMIC(uint32_t, 2)
ATOMIC(uint64_t, 3)
ATOMIC(__uint128_t, 4)

static void atomic(const struct record *r) {
    int heard = is_sought(r);
    if (!heard)
        unheard(1);
    switch (r->aux) {
    case 1: atomic_uint8_t(r); break;
    case 2: atomic_uint16_t(r); break;
    case 4: atomic_uint32_t(r); break;
    case 8: atomic_uint64_t(r); break;
    case 16: atomic___uint128_t(r); break;
    }
    if (!heard)
        unheard(-1);
}

static void lock(uint64_t mutex, unsigned flags, int depth) {
    tsan.mutex_pre_lock(mutex, flags);
    tsan.mutex_post_lock(mutex, flags, depth);
}

static int unlock(uint64_t mutex, unsigned flags) {
    int depth = tsan.mutex_pre_unlock(mutex, flags);
    tsan.mutex_post_unlock(mutex, flags);
    return depth;
}

// What anybody did to this memory before is forgotten.
static void allocated(uint64_t block, uint64_t size) {
    if (size == 0)
        return;
    tsan.java_free(block, (size + 7) & ~7ul);
    unheard(1);
    tsan.java_alloc(block, size);
    unheard(-1);
}

// What takes its caller for the place in the program: that is told as the function that called us.
static void synchronised(const struct record *r) {
    int ok = (r->flags & OK) != 0;
    switch (r->kind) {
    case AtomicLoad:
    case AtomicStore:
    case AtomicRmw:
    case AtomicCas: atomic(r); break;
    case Fence: tsan.atomic_thread_fence(r->flags & ORDER); break;
    case Allocate: allocated(r->addr, r->aux); break;

    case MutexInit:
    case RwInit: tsan.mutex_create(r->addr, 0); break;
    case MutexDestroy:
    case RwDestroy: tsan.mutex_destroy(r->addr, 0); break;
    case MutexLock:
    case MutexTryLock:
    case MutexTimedLock:
    case WriteLock:
    case TryWriteLock:
        if (ok)
            lock(r->addr, 0, 1);
        break;
    case MutexUnlock:
        if (ok)
            unlock(r->addr, 0);
        break;
    case CondWait: depths[r->thread] = unlock(r->before, RECURSIVE_UNLOCK); break;
    case CondReacquire: lock(r->before, RECURSIVE_LOCK, depths[r->thread]); break;
    case ReadLock:
    case TryReadLock:
        if (ok)
            lock(r->addr, READ_LOCK, 1);
        break;
    // Of a writer, or of a reader.
    case RwUnlock: unlock(r->addr, r->aux ? 0 : READ_LOCK); break;

    case BarrierArrive:
    case SemPost:
    case OnceDone:
    case HandUnlock: tsan.release(r->addr); break;
    case BarrierLeave:
    case HandLock: tsan.acquire(r->addr); break;
    case SemWait:
    case SemTryWait:
        if (ok)
            tsan.acquire(r->addr);
        break;
    case OnceEnter:
        if (!ok)
            tsan.acquire(r->addr);
        break;
    }
}

// In the folder of TSan's reports: what is asked, and which thread of the kernel is which of ours, a line each.
static const char *question, *threads;

static void ask(void) {
    char text[128] = {0};
    long file = kernel(SYS_open, question, O_RDONLY | O_CLOEXEC, 0);
    if (file < 0)
        return;
    kernel(SYS_read, (void *)file, (long)text, sizeof text - 1);
    kernel(SYS_close, (void *)file, 0, 0);
    sscanf(text, "%u %lu %u %lu", &sought[0].thread, &sought[0].count, &sought[1].thread, &sought[1].count);
}

static void say(int number) {
    char line[64];
    int length = snprintf(line, sizeof line, "%d %ld\n", number, kernel(SYS_gettid, 0, 0, 0));
    long file = kernel(SYS_open, threads, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0)
        return;
    kernel(SYS_write, (void *)file, (long)line, length);
    kernel(SYS_close, (void *)file, 0, 0);
}

static void heard(const struct record *r) {
    static int asked;
    if (!asked++)
        ask();
    switch (r->kind) {
    case Main:
    case ThreadStart: say(r->thread); break;
    case Call: tsan.func_entry(r->pc); break;
    case Return:
        for (uint32_t i = 0; i < r->aux; i++)
            tsan.func_exit();
        break;
    case Read:
        if (is_sought(r))
            tsan.read_range_pc(r->addr, r->aux, r->pc);
        break;
    case Write:
        if (is_sought(r))
            tsan.write_range_pc(r->addr, r->aux, r->pc);
        break;
    default:
        // Those before are the log's own.
        if (r->kind > Write) {
            tsan.func_entry(r->pc);
            synchronised(r);
            tsan.func_exit();
        }
    }
}

static int create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), void *arg, uint64_t pc) {
    tsan.func_entry(pc);
    int error = tsan.pthread_create(thread, attr, start, arg);
    tsan.func_exit();
    return error;
}

static int join(pthread_t thread, void **value, uint64_t pc) {
    tsan.func_entry(pc);
    int error = tsan.pthread_join(thread, value);
    tsan.func_exit();
    return error;
}

static int complete = 1;

static void *find(void *library, const char *name) {
    void *found = dlsym(library, name);
    complete &= found != NULL;
    return found;
}

static int find_all(void *library) {
#define FIND(name) tsan.name = find(library, "__tsan_" #name)
    FIND(init);
    FIND(func_entry);
    FIND(func_exit);
    FIND(read_range_pc);
    FIND(write_range_pc);
    FIND(acquire);
    FIND(release);
    FIND(mutex_create);
    FIND(mutex_destroy);
    FIND(mutex_pre_lock);
    FIND(mutex_post_lock);
    FIND(mutex_pre_unlock);
    FIND(mutex_post_unlock);
    FIND(atomic_thread_fence);
    FIND(java_init);
    FIND(java_alloc);
    FIND(java_free);
    const char *does[] = {"load", "store", "fetch_add", "compare_exchange_val"};
    for (int width = 0; width < 5; width++)
        for (int i = 0; i < 4; i++) {
            char name[64];
            snprintf(name, sizeof name, "__tsan_atomic%d_%s", 8 << width, does[i]);
            tsan.atomics[width][i] = find(library, name);
        }
    tsan.ignore_begin = find(library, "AnnotateIgnoreWritesBegin");
    tsan.ignore_end = find(library, "AnnotateIgnoreWritesEnd");
    tsan.pthread_create = find(library, "pthread_create");
    tsan.pthread_join = find(library, "pthread_join");
    return complete;
}

static void refuse(const char *why) {
    char line[1024];
    int length = snprintf(line, sizeof line, "%s", why);
    kernel(SYS_write, (void *)2, (long)line, length);
    kernel(SYS_exit_group, (void *)4, 0, 0);
}

// Where the heap begins: where TSan may look for the block that an address belongs to.
static uint64_t heap_begin(void) {
    static char maps[1 << 16];
    uint64_t begin = (uint64_t)sbrk(0);
    long length = 0, got, file = kernel(SYS_open, "/proc/self/maps", O_RDONLY | O_CLOEXEC, 0);
    while ((got = kernel(SYS_read, (void *)file, (long)maps + length, sizeof maps - 1 - length)) > 0)
        length += got;
    kernel(SYS_close, (void *)file, 0, 0);
    char *rest;
    for (char *line = strtok_r(maps, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        if (strstr(line, "[heap]"))
            begin = strtoul(line, NULL, 16);
    return begin & ~7ul;
}

static void load(const char *path) {
    void *(*libcs_dlopen)(const char *, int) = dlsym(RTLD_NEXT, "dlopen");
    // Its names are for itself and for us, and those that it uses are its own and libc's.
    void *library = libcs_dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    if (!library)
        refuse(dlerror());
    if (!find_all(library))
        refuse("its runtime lacks a function");
    tsan.init();
    // What it did not find left a message, which would be freed in the program's time.
    dlerror();
    dlerror();
    tsan.java_init(heap_begin(), 1ul << 36);
}

// By hand: `getenv` is our runtime's, and would be an event of the program.
static char *variable(char **environment, const char *name) {
    size_t length = strlen(name);
    for (char **entry = environment; *entry; entry++)
        if (!strncmp(*entry, name, length) && (*entry)[length] == '=')
            return *entry + length + 1;
    return NULL;
}

// After our runtime has begun and before it parks. A program that this one executes is none of ours.
__attribute__((constructor)) static void begin(int argc, char **argv, char **environment) {
    const char *runtime = variable(environment, "UNPICK_TSAN_RUNTIME");
    char *preload = variable(environment, "LD_PRELOAD");
    struct listener *listener = dlsym(RTLD_DEFAULT, "unpick_listener");
    question = variable(environment, "UNPICK_TSAN_QUESTION");
    threads = variable(environment, "UNPICK_TSAN_THREADS");
    if (!listener || !runtime || !question || !threads)
        return;
    if (preload)
        preload[-2] = '_';
    if (listener->version != UNPICK_VERSION)
        refuse("the program was built by another version of unpick: build it again");
    // The program may be under control already.
    *listener->libcs_own = 1;
    load(runtime);
    *listener->libcs_own = 0;
    listener->create = create;
    listener->join = join;
    listener->heard = heard;
}
