#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static atomic_int ready;
static unsigned length;
static unsigned char text[4];

static void *sender(void *arg) {
    unsigned n = __VERIFIER_nondet_uchar() % 4 + 1;
    for (unsigned i = 0; i < n; i++)
        text[i] = 'x';
    length = n;
    atomic_store(&ready, 1);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, sender, 0);
    if (atomic_load(&ready)) {
        unsigned n = length;
        assert(n > 0 && text[n - 1] == 'x');
    }
    pthread_join(thread, 0);
    return 0;
}
