/* Three threads share an object and drop it: who drops it counts in one step and asks in another, so that
 * two of them may take themselves for the last one. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int references = 3, released;

static void *drop(void *arg) {
    (void)arg;
    atomic_fetch_sub(&references, 1);
    if (atomic_load(&references) == 0)
        assert(atomic_exchange(&released, 1) == 0);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, drop, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
