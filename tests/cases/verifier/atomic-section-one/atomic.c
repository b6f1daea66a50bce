/* Only one of two threads uses an atomic section: the other's x++ is two steps.
 * Fails where the section comes between them. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int x;

static void *careful(void *arg) {
    (void)arg;
    __VERIFIER_atomic_begin();
    x++;
    __VERIFIER_atomic_end();
    return NULL;
}

static void *careless(void *arg) {
    (void)arg;
    x++;
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, careful, NULL);
    pthread_create(&two, NULL, careless, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(x == 2);
    return 0;
}
