/* An assumption that does not exclude the bad case: a thread changes x after it was assumed.
 * Fails where the write comes between assumption and assertion. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

extern void __VERIFIER_assume(int);

static int x;

static void *worker(void *arg) {
    (void)arg;
    x = 1;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    __VERIFIER_assume(x == 0);
    assert(x == 0);
    pthread_join(t, NULL);
    return 0;
}
