#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    _Bool needed = __VERIFIER_nondet_bool();
    if (needed)
        pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return 0;
}
