#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

int ready;

static void *give(void *arg) {
    ready = 1;
    return arg;
}

int main(void) {
    pthread_t giver;
    int number = __VERIFIER_nondet_int();
    pthread_create(&giver, NULL, give, NULL);
    if (number == 7)
        assert(ready == 0);
    else if (number == 5)
        assert(ready == 1);
    pthread_join(giver, NULL);
    return 0;
}
