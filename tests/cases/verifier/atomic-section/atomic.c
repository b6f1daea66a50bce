/* __VERIFIER_atomic_begin and _end: nobody comes in between.
 * The section is one step for the others. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int x;

static void *worker(void *arg) {
    (void)arg;
    __VERIFIER_atomic_begin();
    x++;
    __VERIFIER_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(x == 2);
    return 0;
}
