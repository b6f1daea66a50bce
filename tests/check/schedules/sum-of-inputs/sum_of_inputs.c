#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned sum, parts[2];

static void *add(void *arg) {
    unsigned *part = arg;
    *part = __VERIFIER_nondet_uint();
    pthread_mutex_lock(&lock);
    sum += *part;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, add, &parts[0]);
    pthread_create(&b, 0, add, &parts[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(sum == parts[0] + parts[1]);
    return 0;
}
