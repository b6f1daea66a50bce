#include <assert.h>
#include <pthread.h>

static int free_places = 1, taken;

void __VERIFIER_atomic_take(void) {
    if (free_places > 0) {
        free_places--;
        taken++;
    }
}

static void *work(void *arg) {
    __VERIFIER_atomic_take();
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(taken == 1 && free_places == 0);
    return 0;
}
