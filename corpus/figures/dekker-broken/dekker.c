/* Dekker's problem with the naive entry: look first, then say that you want to.
 * Fails where both look before either has said so. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int wants0, wants1;
static int inside;

static void critical(void) {
    inside++;
    assert(inside == 1);
    inside--;
}

static void *zero(void *arg) {
    (void)arg;
    while (wants1)
        ;
    wants0 = 1;
    critical();
    wants0 = 0;
    return NULL;
}

static void *one(void *arg) {
    (void)arg;
    while (wants0)
        ;
    wants1 = 1;
    critical();
    wants1 = 0;
    return NULL;
}

int main(void) {
    pthread_t t0, t1;
    pthread_create(&t0, NULL, zero, NULL);
    pthread_create(&t1, NULL, one, NULL);
    pthread_join(t0, NULL);
    pthread_join(t1, NULL);
    return 0;
}
