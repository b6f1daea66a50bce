/* Message passing the wrong way round: the flag is set before the data is there.
 * Fails where the other looks in between; the fence is of no use. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int data;
static atomic_int flag;

static void *sender(void *arg) {
    (void)arg;
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    data = 1;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, sender, NULL);
    if (atomic_load_explicit(&flag, memory_order_relaxed)) {
        atomic_thread_fence(memory_order_seq_cst);
        assert(data == 1);
    }
    pthread_join(t, NULL);
    return 0;
}
