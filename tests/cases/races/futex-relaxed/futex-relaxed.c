#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;
static int result;

static void *finish(void *arg) {
    result = 1;
    atomic_store_explicit(&word, 1, memory_order_relaxed);
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
    return arg;
}

static void *await(void *arg) {
    while (atomic_load_explicit(&word, memory_order_relaxed) == 0)
        syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);
    return result ? arg : 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, finish, 0);
    pthread_create(&two, 0, await, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
